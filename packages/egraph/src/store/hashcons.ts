/**
 * The hashcons of a node table: open addressing, a slot for each node that is not dead, found by its
 * operator and canonical children.
 */
import { invariant } from '@baton/base';
import { widen } from './arrays.ts';
import { hashN } from './hash.ts';
import { grow, LIVE, MANY, type NodeTable, nodeLimitSignal } from './nodes.ts';

const EMPTY = 0;
const TOMBSTONE = -1;

/** Up to this size arrays grow fourfold, above it they double. */
const FAST_GROWTH = 1 << 17;

/** The bytes of a node in all arrays, with the hashcons and the tables for matching. */
const BYTES_A_NODE = 128;
/** The least growth of arrays: near the memory limit they would otherwise move all the time. */
const LEAST_GROWTH = 1.1;

/**
 * The node with this operator and these children, or −1. With `c` = `MANY` they are the `b`
 * children in the pool from `a` on.
 */
export function probe(
  t: NodeTable,
  hash: number,
  op: number,
  a: number,
  b: number,
  c: number,
): number {
  const { slots, nodes } = t;
  const mask = slots.length - 2;
  let free = -1;
  for (let s = hash & mask; ; s = (s + 2) & mask) {
    const entry = slots[s + 1] as number;
    if (entry === EMPTY) {
      t.slot = free < 0 ? s : free;
      return -1;
    }
    if (entry === TOMBSTONE) {
      if (free < 0) free = s;
    } else if (slots[s] === hash) {
      const r = (entry - 1) << 2;
      if (nodes[r] !== op || nodes[r + 2] !== b || nodes[r + 3] !== c) continue;
      if (nodes[r + 1] === a || (c === MANY && samePool(t.pool, nodes[r + 1] as number, a, b))) {
        t.slot = s;
        return entry - 1;
      }
    }
  }
}

function samePool(pool: Int32Array, x: number, y: number, count: number): boolean {
  for (let i = 0; i < count; i++) if (pool[x + i] !== pool[y + i]) return false;
  return true;
}

/** Writes canonical children past the end of the pool, where a new node would keep them. */
export function stage(t: NodeTable, children: ArrayLike<number>): void {
  const needed = t.poolSize + children.length;
  if (needed > t.pool.length) {
    widen(t, ['pool', 'poolNext', 'poolNode'], Math.max(needed, t.pool.length * 2));
  }
  for (let i = 0; i < children.length; i++) {
    t.pool[t.poolSize + i] = t.find(children[i] as number);
  }
}

/** The node whose more than three children are stored in the pool, or −1. */
export const probePool = (t: NodeTable, op: number, at: number, count: number): number =>
  probe(t, hashN(op, t.pool, at, count), op, at, count, MANY);

/** A new node at the slot of the last probe, in class `into` (−1: in a new class). */
export function makeNode(
  t: NodeTable,
  hash: number,
  op: number,
  a: number,
  b: number,
  c: number,
  into: number,
): number {
  const n = t.size;
  if (t.liveNodes >= t.nodeLimit) throw nodeLimitSignal();
  if (n === t.uf.length) expand(t, n);
  insert(t, hash, n);
  t.size = n + 1;
  const r = n << 2;
  const { nodes } = t;
  nodes[r] = op;
  nodes[r + 1] = a;
  nodes[r + 2] = b;
  nodes[r + 3] = c;
  t.status[n] = LIVE;
  t.stamp[n] = t.epoch;
  t.parTail[n] = -1;
  t.parCount[n] = 0;
  t.liveNodes++;
  t.changes++;
  if (into < 0) {
    t.uf[n] = n;
    t.next[n] = n;
    t.classes++;
  } else {
    t.uf[n] = into;
    t.next[n] = t.next[into] as number;
    t.next[into] = n;
  }
  return n;
}

/** Makes room for more than the present `n` nodes. */
function expand(t: NodeTable, n: number): void {
  const wanted = n < FAST_GROWTH ? n * 4 : n * 2;
  const capacity = Math.min(wanted, n + Math.floor(t.room / BYTES_A_NODE));
  if (capacity < n * LEAST_GROWTH) throw nodeLimitSignal();
  t.room -= (capacity - n) * BYTES_A_NODE;
  grow(t, capacity);
}

/** Adds node `n`, whose key has this hash, at the slot of the last probe. */
export function insert(t: NodeTable, hash: number, n: number): void {
  if (t.slotsUsed * 4 >= t.slots.length) rehash(t, hash);
  writeSlot(t, t.slot, hash, n + 1);
}

/** Deletes node `n`, whose key has this hash. */
export function remove(t: NodeTable, hash: number, n: number): void {
  const { slots } = t;
  const mask = slots.length - 2;
  let s = hash & mask;
  for (; slots[s + 1] !== n + 1; s = (s + 2) & mask) {
    invariant(slots[s + 1] !== EMPTY, 'every node that is not dead is in the hashcons');
  }
  // A slot before an empty one need not be remembered as deleted.
  const isLast = slots[((s + 2) & mask) + 1] === EMPTY;
  if (isLast) t.slotsUsed--;
  slots[s + 1] = isLast ? EMPTY : TOMBSTONE;
}

export function writeSlot(t: NodeTable, s: number, hash: number, entry: number): void {
  const { slots } = t;
  if (slots[s + 1] === EMPTY) t.slotsUsed++;
  slots[s] = hash;
  slots[s + 1] = entry;
}

/** Makes room and finds the slot for a new key again. */
function rehash(t: NodeTable, hash: number): void {
  const { slots } = t;
  let kept = 0;
  for (let s = 1; s < slots.length; s += 2) if ((slots[s] as number) > 0) kept++;
  const isFast = kept < FAST_GROWTH && kept * BYTES_A_NODE < t.room;
  resize(t, kept * (isFast ? 16 : 8));
  t.slot = freeSlot(t.slots, hash);
}

/** Moves the keys to an array of at least this length, without deleted slots. */
function resize(t: NodeTable, atLeast: number): void {
  const old = t.slots;
  let { length } = old;
  while (length < atLeast) length *= 2;
  t.slots = new Int32Array(length);
  t.slotsUsed = 0;
  for (let s = 0; s < old.length; s += 2) {
    const hash = old[s] as number;
    const entry = old[s + 1] as number;
    if (entry > 0) writeSlot(t, freeSlot(t.slots, hash), hash, entry);
  }
}

/** The slot for an absent key of this hash in a hashcons without deleted slots. */
function freeSlot(slots: Int32Array, hash: number): number {
  const mask = slots.length - 2;
  let s = hash & mask;
  while (slots[s + 1] !== EMPTY) s = (s + 2) & mask;
  return s;
}

/** Makes room for `capacity` nodes at once, so that nothing moves later. */
export function reserve(t: NodeTable, capacity: number): void {
  grow(t, capacity);
  if (t.slots.length < capacity * 4) resize(t, capacity * 4);
}
