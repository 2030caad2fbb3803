import type { NodeTable } from './nodes.ts';
import type { Store } from './store.ts';

/** Which array an entry of the trail belongs to. */
const UF = 0;
const NEXT = 1;
const PARENT_TAIL = 2;
const PARENT_COUNT = 3;
const CELL = 4;
const STATUS = 5;
const CHILD = 6;
const POOL = 7;
const SLOT = 8;
const SLOTS = 9;
const DATA = 10;

/** The counters of a store at a `push`. */
interface Mark {
  readonly entries: number;
  readonly objects: number;
  readonly size: number;
  readonly liveNodes: number;
  readonly classes: number;
  readonly poolSize: number;
  readonly slotsUsed: number;
  readonly unmodified: ReadonlyArray<number>;
  readonly unions: number;
  readonly extra: unknown;
}

/**
 * What to write back to undo changes: entries (array, index, old value), undone from the end. What
 * was appended to the store since a mark is cut off.
 */
export class Trail {
  private readonly entries: number[] = [];
  private readonly objects: unknown[] = [];
  private readonly marks: Mark[] = [];
  /** The analysis data by class, if the e-graph has any. */
  private readonly data: unknown[];

  constructor(data: unknown[]) {
    this.data = data;
  }

  get depth(): number {
    return this.marks.length;
  }

  /** Remembers this moment, and `extra` with it. */
  mark(s: Store, extra: unknown): void {
    this.marks.push({
      entries: this.entries.length,
      objects: this.objects.length,
      size: s.size,
      liveNodes: s.liveNodes,
      classes: s.classes,
      poolSize: s.poolSize,
      slotsUsed: s.slotsUsed,
      unmodified: [...s.unmodified],
      unions: s.unions,
      extra,
    });
  }

  /** Restores the last mark and returns its `extra`; `undefined` if there is none. */
  undo(s: Store): unknown {
    const mark = this.marks.pop();
    if (mark === undefined) return undefined;
    const entries = this.entries;
    while (entries.length > mark.entries) {
      const value = entries.pop() as number;
      const index = entries.pop() as number;
      this.restore(s, entries.pop() as number, index, value);
    }
    s.size = mark.size;
    s.liveNodes = mark.liveNodes;
    s.classes = mark.classes;
    s.poolSize = mark.poolSize;
    s.slotsUsed = mark.slotsUsed;
    s.unions = mark.unions;
    s.unmodified.length = 0;
    s.unmodified.push(...mark.unmodified);
    s.changes++;
    this.data.length = Math.min(this.data.length, mark.size);
    return mark.extra;
  }

  private restore(s: Store, kind: number, index: number, value: number): void {
    switch (kind) {
      case UF:
        s.uf[index] = value;
        break;
      case NEXT:
        s.next[index] = value;
        break;
      case PARENT_TAIL:
        s.parTail[index] = value;
        break;
      case PARENT_COUNT:
        s.parCount[index] = value;
        break;
      case CELL:
        if (index >= 0) s.parNext[index] = value;
        else s.poolNext[-2 - index] = value;
        break;
      case STATUS:
        s.status[index] = value;
        break;
      case CHILD:
        s.nodes[index] = value;
        break;
      case POOL:
        s.pool[index] = value;
        break;
      case SLOT:
        s.slots[index] = value;
        break;
      case SLOTS:
        s.slots = this.objects.pop() as Int32Array;
        s.slotMask = s.slots.length / 2 - 1;
        break;
      default:
        this.data[index] = this.objects.pop();
    }
  }

  private log(kind: number, index: number, value: number): void {
    this.entries.push(kind, index, value);
  }

  next(s: NodeTable, n: number): void {
    this.log(NEXT, n, s.next[n] as number);
  }

  parents(s: NodeTable, c: number): void {
    this.log(PARENT_TAIL, c, s.parTail[c] as number);
    this.log(PARENT_COUNT, c, s.parCount[c] as number);
  }

  cell(s: NodeTable, cell: number): void {
    this.log(CELL, cell, s.nextCell(cell));
  }

  union(s: Store, root: number, loser: number): void {
    this.log(UF, loser, s.uf[loser] as number);
    this.next(s, root);
    this.next(s, loser);
    this.parents(s, root);
  }

  status(s: NodeTable, n: number): void {
    this.log(STATUS, n, s.status[n] as number);
  }

  record(s: NodeTable, n: number): void {
    for (let i = n * 4 + 1; i <= n * 4 + 3; i++) this.log(CHILD, i, s.nodes[i] as number);
  }

  pool(s: NodeTable, at: number): void {
    this.log(POOL, at, s.pool[at] as number);
  }

  slot(s: NodeTable, slot: number): void {
    this.log(SLOT, slot * 2, s.slots[slot * 2] as number);
    this.log(SLOT, slot * 2 + 1, s.slots[slot * 2 + 1] as number);
  }

  slots(s: NodeTable): void {
    this.objects.push(s.slots);
    this.log(SLOTS, 0, 0);
  }

  /** The data of class `c` is about to change. */
  changeData(c: number): void {
    this.objects.push(this.data[c]);
    this.log(DATA, c, 0);
  }
}
