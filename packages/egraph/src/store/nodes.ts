import { invariant } from '@baton/base';
import { widen } from './arrays.ts';
import { hash3, hashN } from './hash.ts';

/** A node that a congruent one replaced. */
export const DEAD = 0;
/** A node that is part of its class. */
export const LIVE = 1;
/** A node that is known and found, but no longer part of its class. */
export const PRUNED = 2;

/** In place of a third child: the children of the node lie in the pool. */
export const MANY = -1;

const EMPTY = 0;
const TOMBSTONE = -1;
const FIRST_CAPACITY = 1024;
/** Up to this size arrays grow fourfold, above it they double. */
const FAST_GROWTH = 1 << 17;

/** What a node takes in all arrays, those of the hashcons and of the tables for matching among them. */
const BYTES_A_NODE = 128;
/** Arrays grow by so much at least: near the limit of memory they would else be moved all the time. */
const LEAST_GROWTH = 1.1;

/** Thrown when a new node would exceed the limit of nodes or memory: caught by the runner. */
export class NodeLimitSignal extends Error {}

/**
 * The nodes of an e-graph as flat arrays: records, hashcons, union-find, parent lists.
 *
 * Node `n` made class `n`. Its record is `nodes[4n..]`: operator, then up to three children, or, for
 * more, where its children start in `pool`. A class's nodes are the circular list `next` through its
 * root. Its parents are a circular list of *cells*, one per child position: cell `4n+1+i` is child
 * `i` of node `n`; a negative cell −2−p is `pool[p]`. A list is concatenated in O(1), and the stretch
 * from its old first to its old last cell stays a stretch: `pending` names such stretches.
 */
export class NodeTable {
  uf: Int32Array = new Int32Array(FIRST_CAPACITY);
  nodes: Int32Array = new Int32Array(FIRST_CAPACITY * 4);
  next: Int32Array = new Int32Array(FIRST_CAPACITY);
  status: Uint8Array = new Uint8Array(FIRST_CAPACITY);
  /** When a row last changed, for delta matching. */
  stamp: Int32Array = new Int32Array(FIRST_CAPACITY);
  parNext: Int32Array = new Int32Array(FIRST_CAPACITY * 4);
  parTail: Int32Array = new Int32Array(FIRST_CAPACITY);
  parCount: Int32Array = new Int32Array(FIRST_CAPACITY);
  pool: Int32Array = new Int32Array(16);
  poolNext: Int32Array = new Int32Array(16);
  poolNode: Int32Array = new Int32Array(16);
  poolSize = 0;
  /** Pairs: hash, node + 1 (0 empty, −1 deleted). */
  slots: Int32Array = new Int32Array(FIRST_CAPACITY * 4);
  slotsUsed = 0;
  /** The number of nodes ever made, which is the next id. */
  size = 0;
  liveNodes = 0;
  classes = 0;
  nodeLimit = 0x1fffffff;
  /** Bytes that the arrays may grow by. */
  room: number = Infinity;
  epoch = 0;
  /** Arity by operator. */
  arity: Int32Array = new Int32Array(64);
  /** The family and the payload's number of operators with a payload; −1 for those without. */
  family: Int32Array = new Int32Array(64);
  payload: Int32Array = new Int32Array(64);
  /** One more than the node of each leaf operator; stale if that node is of another operator. */
  leaf: Int32Array = new Int32Array(64);
  /** Whether matching must look at the nodes again: see `Tables`. */
  changes = 0;

  /** The canonical id of a class. */
  find(x: number): number {
    const uf = this.uf;
    const up = uf[x] as number;
    return up === x || uf[up] === up ? up : this.findFar(x);
  }

  protected findFar(start: number): number {
    const uf = this.uf;
    let x = start;
    let up = uf[x] as number;
    while (up !== x) {
      const above = uf[up] as number;
      uf[x] = above;
      x = above;
      up = uf[x] as number;
    }
    return x;
  }

  /** The node with operator `op` and no children, or −1. */
  find0(op: number): number {
    const n = (this.leaf[op] as number) - 1;
    return n >= 0 && n < this.size && this.nodes[n << 2] === op ? n : -1;
  }

  /** The node with up to three canonical children, 0 for those that it lacks, or −1. */
  find3(op: number, a: number, b: number, c: number): number {
    return this.probe(hash3(op, a, b, c), op, a, b, c);
  }

  /** The slot of the last probe: where the key is, or where it would go. */
  protected slot = 0;

  /**
   * The node with this operator and these children, or −1. With `c` = `MANY` they are the `b`
   * children that lie in the pool from `a` on.
   */
  protected probe(hash: number, op: number, a: number, b: number, c: number): number {
    const { slots, nodes } = this;
    const mask = slots.length - 2;
    let free = -1;
    for (let s = hash & mask; ; s = (s + 2) & mask) {
      const entry = slots[s + 1] as number;
      if (entry === EMPTY) {
        this.slot = free < 0 ? s : free;
        return -1;
      }
      if (entry === TOMBSTONE) {
        if (free < 0) free = s;
      } else if (slots[s] === hash) {
        const r = (entry - 1) << 2;
        if (nodes[r] !== op || nodes[r + 2] !== b || nodes[r + 3] !== c) continue;
        if (nodes[r + 1] === a || (c === MANY && this.#samePool(nodes[r + 1] as number, a, b))) {
          this.slot = s;
          return entry - 1;
        }
      }
    }
  }

  #samePool(x: number, y: number, count: number): boolean {
    for (let i = 0; i < count; i++) if (this.pool[x + i] !== this.pool[y + i]) return false;
    return true;
  }

  /** Writes canonical children behind the pool's end, where they stay if a node is made of them. */
  protected stage(children: ArrayLike<number>): void {
    const { length } = children;
    this.reservePool(this.poolSize + length);
    for (let i = 0; i < length; i++) {
      this.pool[this.poolSize + i] = this.find(children[i] as number);
    }
  }

  /** Finds the node whose children, more than three, lie in the pool. */
  protected probePool(op: number, at: number, count: number): number {
    return this.probe(hashN(op, this.pool, at, count), op, at, count, MANY);
  }

  /** The node with this operator and these children, or −1. */
  lookup(op: number, children: ArrayLike<number>): number {
    const count = children.length;
    if (count === 0) return this.find0(op);
    if (count > 3) {
      this.stage(children);
      return this.probePool(op, this.poolSize, count);
    }
    const child = (i: number): number => (i < count ? this.find(children[i] as number) : 0);
    return this.find3(op, child(0), child(1), child(2));
  }

  protected make(hash: number, op: number, a: number, b: number, c: number, into: number): number {
    if (this.liveNodes >= this.nodeLimit) throw new NodeLimitSignal();
    const n = this.size;
    if (n === this.uf.length) this.#expand(n);
    if (this.slotsUsed * 4 >= this.slots.length) this.rehash(hash);
    this.writeSlot(this.slot, hash, n + 1);
    this.size = n + 1;
    const r = n << 2;
    const nodes = this.nodes;
    nodes[r] = op;
    nodes[r + 1] = a;
    nodes[r + 2] = b;
    nodes[r + 3] = c;
    this.status[n] = LIVE;
    this.stamp[n] = this.epoch;
    this.parTail[n] = -1;
    this.parCount[n] = 0;
    this.liveNodes++;
    this.changes++;
    if (into < 0) {
      this.uf[n] = n;
      this.next[n] = n;
      this.classes++;
    } else {
      this.uf[n] = into;
      this.next[n] = this.next[into] as number;
      this.next[into] = n;
    }
    return n;
  }

  protected linkParent(cell: number, child: number): void {
    const tail = this.parTail[child] as number;
    if (tail === -1) this.setNextCell(cell, cell);
    else {
      this.setNextCell(cell, this.nextCell(tail));
      this.setNextCell(tail, cell);
    }
    this.parTail[child] = cell;
    this.parCount[child] = (this.parCount[child] as number) + 1;
  }

  /** The cell behind `cell` in its circular list. */
  nextCell(cell: number): number {
    return (cell >= 0 ? this.parNext[cell] : this.poolNext[-2 - cell]) as number;
  }

  protected setNextCell(cell: number, to: number): void {
    if (cell >= 0) this.parNext[cell] = to;
    else this.poolNext[-2 - cell] = to;
  }

  /** The node that a cell belongs to. */
  cellNode(cell: number): number {
    return cell >= 0 ? cell >> 2 : (this.poolNode[-2 - cell] as number);
  }

  /** Child `i` of a node; canonical right after a rebuild only. */
  child(n: number, i: number): number {
    const r = n << 2;
    const op = this.nodes[r] as number;
    return (this.arity[op] as number) <= 3
      ? (this.nodes[r + 1 + i] as number)
      : (this.pool[(this.nodes[r + 1] as number) + i] as number);
  }

  /** Deletes node `n`, whose key has this hash, from the hashcons. */
  protected remove(hash: number, n: number): void {
    const { slots } = this;
    const mask = slots.length - 2;
    let s = hash & mask;
    for (; slots[s + 1] !== n + 1; s = (s + 2) & mask) {
      invariant(slots[s + 1] !== EMPTY, 'every node that is not dead is in the hashcons');
    }
    // A slot before an empty one need not be remembered as deleted.
    const isLast = slots[((s + 2) & mask) + 1] === EMPTY;
    if (isLast) this.slotsUsed--;
    slots[s + 1] = isLast ? EMPTY : TOMBSTONE;
  }

  protected writeSlot(s: number, hash: number, entry: number): void {
    const { slots } = this;
    if (slots[s + 1] === EMPTY) this.slotsUsed++;
    slots[s] = hash;
    slots[s + 1] = entry;
  }

  /** Makes room in the hashcons and finds the slot for a new key again. */
  protected rehash(hash: number): void {
    const { slots } = this;
    let kept = 0;
    for (let s = 1; s < slots.length; s += 2) if ((slots[s] as number) > 0) kept++;
    const isFast = kept < FAST_GROWTH && kept * BYTES_A_NODE < this.room;
    this.#resize(kept * (isFast ? 16 : 8));
    this.slot = freeSlot(this.slots, hash);
  }

  /** Makes room for `capacity` nodes at once, so that nothing need be moved later. */
  reserve(capacity: number): void {
    this.grow(capacity);
    if (this.slots.length < capacity * 4) this.#resize(capacity * 4);
  }

  /** Moves the hashcons to an array of at least this length, without what was deleted. */
  #resize(atLeast: number): void {
    const old = this.slots;
    let { length } = old;
    while (length < atLeast) length *= 2;
    this.slots = new Int32Array(length);
    this.slotsUsed = 0;
    for (let s = 0; s < old.length; s += 2) {
      const hash = old[s] as number;
      const entry = old[s + 1] as number;
      if (entry > 0) this.writeSlot(freeSlot(this.slots, hash), hash, entry);
    }
  }

  /** Makes room for more than the `n` nodes that there are. */
  #expand(n: number): void {
    const wanted = n < FAST_GROWTH ? n * 4 : n * 2;
    const capacity = Math.min(wanted, n + Math.floor(this.room / BYTES_A_NODE));
    if (capacity < n * LEAST_GROWTH) throw new NodeLimitSignal();
    this.room -= (capacity - n) * BYTES_A_NODE;
    this.grow(capacity);
  }

  /** Makes room for `capacity` nodes. */
  grow(capacity: number): void {
    if (capacity <= this.uf.length) return;
    widen(this, ['uf', 'next', 'stamp', 'parTail', 'parCount'], capacity);
    widen(this, ['nodes', 'parNext'], capacity * 4);
    const status = new Uint8Array(capacity);
    status.set(this.status);
    this.status = status;
  }

  protected reservePool(length: number): void {
    if (length <= this.pool.length) return;
    const capacity = Math.max(length, this.pool.length * 2);
    widen(this, ['pool', 'poolNext', 'poolNode'], capacity);
  }

  /** Tells the store of a new operator. */
  setOperator(op: number, arity: number, family: number, payload: number): void {
    if (op >= this.arity.length) widen(this, ['arity', 'family', 'payload', 'leaf'], op * 2);
    this.arity[op] = arity;
    this.family[op] = family;
    this.payload[op] = payload;
  }
}

/** The slot for a key of this hash in a hashcons without deleted ones that does not have it. */
function freeSlot(slots: Int32Array, hash: number): number {
  const mask = slots.length - 2;
  let s = hash & mask;
  while (slots[s + 1] !== EMPTY) s = (s + 2) & mask;
  return s;
}
