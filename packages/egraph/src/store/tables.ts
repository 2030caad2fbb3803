/** The nodes of a store in the orders of matching. */
import { bytesOf, grown } from './arrays.ts';
import { DEAD, LIVE } from './nodes.ts';
import type { Store } from './store.ts';

export const TABLE_BYTES_A_NODE = 36;

const STEP = 1 << 16;

/**
 * The live nodes of a store in two orders, for matching.
 *
 * - By operator, for the root of a pattern: `byOp[opStart[o] .. opStart[o + 1]]` are the nodes of
 *   operator `o`.
 * - By class, for inner patterns: rows `index[2c] .. index[2c + 2]` are the inner nodes of class `c`
 *   as records (operator and children) sorted by operator; `index[2c + 1]` has bit `o & 31` set if
 *   operator `o` may be among them. Leaves are found by the hashcons and have no row.
 */
export class Tables {
  rows: Int32Array = new Int32Array(0);
  rowNode: Int32Array = new Int32Array(0);
  index: Int32Array = new Int32Array(0);
  byOp: Int32Array = new Int32Array(0);
  opStart: Int32Array = new Int32Array(0);
  /** The class of each node at the last refresh. */
  home: Int32Array = new Int32Array(0);
  /** The epoch of the last change among the nodes of each operator, and of each family of operators. */
  changed: Int32Array = new Int32Array(0);
  familyChanged: number[] = [];
  #homes = 0;
  #seen = -1;

  get bytes(): number {
    return bytesOf(this);
  }

  /** Forgets everything, for example because the store went back in time. */
  reset(): void {
    this.#seen = -1;
    this.#homes = 0;
  }

  /** Brings the tables up to date. The store must be rebuilt. */
  refresh(store: Store, operatorCount: number): void {
    for (const _ of this.refreshing(store, operatorCount)) {
    }
  }

  /** Like {@link refresh}, in short steps. The store must not change between them. */
  *refreshing(store: Store, operatorCount: number): Generator<undefined, undefined> {
    if (this.#seen === store.changes && this.opStart.length === operatorCount + 2) return;
    const { size } = store;
    const opStart = new Int32Array(operatorCount + 2);
    this.changed = new Int32Array(operatorCount);
    this.#prepare(store);
    yield* inSteps(size, (from, to) => this.#count(store, opStart, from, to));
    this.#homes = size;
    this.#seeFamilies(store);
    const live = addUp(opStart, 1, operatorCount);
    if (this.byOp.length < live) this.byOp = new Int32Array(store.uf.length);
    yield* inSteps(size, (from, to) => this.#order(store, opStart, from, to));
    if (this.rowNode.length < addUp(this.index, 2, size)) {
      this.rows = new Int32Array(this.home.length * 4);
      this.rowNode = new Int32Array(this.home.length);
    }
    yield;
    yield* inSteps(live, (from, to) => this.#place(store, from, to));
    this.opStart = opStart;
    this.#seen = store.changes;
  }

  #prepare(store: Store): void {
    const { size } = store;
    if (this.home.length >= size) {
      this.index.fill(0, 0, size * 2 + 4);
      return;
    }
    this.home = grown(this.home, store.uf.length);
    this.index = new Int32Array(store.uf.length * 2 + 4);
  }

  /** Counts the rows of each operator and class, and records which nodes have moved. */
  #count(store: Store, opStart: Int32Array, from: number, to: number): void {
    const { nodes, status, arity, stamp, epoch, uf } = store;
    const { changed, home, index } = this;
    const known = this.#homes;
    for (let n = from; n < to; n++) {
      if (status[n] === DEAD) continue;
      const up = uf[n] as number;
      const c = uf[up] === up ? up : store.find(n);
      if (n >= known) home[n] = c;
      else if (home[n] !== c) {
        home[n] = c;
        stamp[n] = epoch;
      }
      if (status[n] !== LIVE) continue;
      const op = nodes[n << 2] as number;
      opStart[op + 2] = (opStart[op + 2] as number) + 1;
      changed[op] = Math.max(changed[op] as number, stamp[n] as number);
      if (arity[op] === 0) continue;
      const i = c << 1;
      index[i + 4] = (index[i + 4] as number) + 1;
      index[i + 1] = (index[i + 1] as number) | (1 << (op & 31));
    }
  }

  #seeFamilies({ family }: Store): void {
    this.familyChanged = [];
    for (const [op, epoch] of this.changed.entries()) {
      const of = family[op] as number;
      if (of >= 0) this.familyChanged[of] = Math.max(this.familyChanged[of] ?? 0, epoch);
    }
  }

  /** Sorts nodes by operator. */
  #order(store: Store, opStart: Int32Array, from: number, to: number): void {
    const { nodes, status } = store;
    const { byOp } = this;
    for (let n = from; n < to; n++) {
      if (status[n] !== LIVE) continue;
      const op = nodes[n << 2] as number;
      const place = opStart[op + 1] as number;
      byOp[place] = n;
      opStart[op + 1] = place + 1;
    }
  }

  /** Sorts rows by class, keeping their order by operator. */
  #place(store: Store, from: number, to: number): void {
    const { nodes, arity } = store;
    const { home, index, byOp, rows, rowNode } = this;
    for (let i = from; i < to; i++) {
      const n = byOp[i] as number;
      const r = n << 2;
      const op = nodes[r] as number;
      if (arity[op] === 0) continue;
      const end = ((home[n] as number) + 1) << 1;
      const place = index[end] as number;
      index[end] = place + 1;
      const w = place << 2;
      rows[w] = op;
      rows[w + 1] = nodes[r + 1] as number;
      rows[w + 2] = nodes[r + 2] as number;
      rows[w + 3] = nodes[r + 3] as number;
      rowNode[place] = n;
    }
  }
}

/** Runs the work on a number of things, a step at a time. */
function* inSteps(
  count: number,
  work: (from: number, to: number) => void,
): Generator<undefined, void> {
  for (let at = 0; at < count; at += STEP) {
    work(at, Math.min(at + STEP, count));
    yield;
  }
}

/**
 * Turns counts into the start of each group, and returns their sum. The count of group `g` lies two
 * places on, at `g + 2`; its start ends up at `g + 1`, and moves to its final place once the group
 * is filled: the end of a group is the start of the next.
 */
function addUp(starts: Int32Array, stride: number, groups: number): number {
  let total = 0;
  for (let at = stride; at <= (groups + 1) * stride; at += stride) {
    total += starts[at] as number;
    starts[at] = total;
  }
  return total;
}
