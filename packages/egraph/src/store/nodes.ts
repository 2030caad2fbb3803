/** The nodes of an e-graph in flat arrays. */
import { isErrorNamed } from '@baton/base';
import { widen } from './arrays.ts';

/** A node that a congruent one replaced. */
export const DEAD = 0;
/** A node that is part of its class. */
export const LIVE = 1;
/** A node that is known and found, but no longer part of its class. */
export const PRUNED = 2;

/** Replaces the third child if the children of the node are stored in the pool. */
export const MANY = -1;

const FIRST_CAPACITY = 1024;
const NODE_LIMIT = 'NodeLimitSignal';

/** The exception for a new node beyond the limit of nodes or memory: caught by the runner. */
export const nodeLimitSignal = (): Error => Object.assign(new Error(), { name: NODE_LIMIT });

/** Whether an exception is that signal. */
export const isNodeLimit = (signal: unknown): boolean => isErrorNamed(signal, NODE_LIMIT);

const ints = (length = FIRST_CAPACITY): Int32Array => new Int32Array(length);

/**
 * The nodes of an e-graph as flat arrays: records, hashcons, union-find, parent lists.
 *
 * Node `n` made class `n`. Its record is `nodes[4n..]`: operator, then up to three children, or,
 * for more, their start in `pool`. A class's nodes are the circular list `next` through its root.
 * Its parents are a circular list of *cells*, one per child position: cell `4n+1+i` is child `i` of
 * node `n`; a negative cell −2−p is `pool[p]`. A list is concatenated in O(1), and the range from
 * its old first to its old last cell stays one: `pending` names such ranges.
 */
export class NodeTable {
  uf: Int32Array = ints();
  nodes: Int32Array = ints(FIRST_CAPACITY * 4);
  next: Int32Array = ints();
  status: Uint8Array = new Uint8Array(FIRST_CAPACITY);
  /** The last change of each row, for delta matching. */
  stamp: Int32Array = ints();
  parNext: Int32Array = ints(FIRST_CAPACITY * 4);
  parTail: Int32Array = ints();
  parCount: Int32Array = ints();
  pool: Int32Array = ints(16);
  poolNext: Int32Array = ints(16);
  poolNode: Int32Array = ints(16);
  poolSize = 0;
  /** Pairs: hash, node + 1 (0 empty, −1 deleted). */
  slots: Int32Array = ints(FIRST_CAPACITY * 4);
  slotsUsed = 0;
  /** The slot of the last probe: that of the key, or its future one. */
  slot = 0;
  /** The number of nodes ever made, which is the next id. */
  size = 0;
  liveNodes = 0;
  classes = 0;
  nodeLimit = 0x1fffffff;
  /** Bytes that the arrays may grow by. */
  room: number = Infinity;
  epoch = 0;
  /** Arity by operator. */
  arity: Int32Array = ints(64);
  /** The family and the payload's number of operators with a payload; −1 for others. */
  family: Int32Array = ints(64);
  payload: Int32Array = ints(64);
  /** One more than the node of each leaf operator; stale if that node has another operator. */
  leaf: Int32Array = ints(64);
  /** Whether matching must look at the nodes again: see `Tables`. */
  changes = 0;

  find(x: number): number {
    const uf = this.uf;
    const up = uf[x] as number;
    return up === x || uf[up] === up ? up : findFar(uf, x);
  }

  /** The node with operator `op` and no children, or −1. */
  find0(op: number): number {
    const n = (this.leaf[op] as number) - 1;
    return n >= 0 && n < this.size && this.nodes[n << 2] === op ? n : -1;
  }

  /** Child `i` of a node; canonical right after a rebuild only. */
  child(n: number, i: number): number {
    const r = n << 2;
    const op = this.nodes[r] as number;
    return (this.arity[op] as number) <= 3
      ? (this.nodes[r + 1 + i] as number)
      : (this.pool[(this.nodes[r + 1] as number) + i] as number);
  }
}

function findFar(uf: Int32Array, start: number): number {
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

export function grow(t: NodeTable, capacity: number): void {
  if (capacity <= t.uf.length) return;
  widen(t, ['uf', 'next', 'status', 'stamp', 'parTail', 'parCount'], capacity);
  widen(t, ['nodes', 'parNext'], capacity * 4);
}

/** Enters a new operator in the table. */
export function setOperator(
  t: NodeTable,
  op: number,
  arity: number,
  family: number,
  payload: number,
): void {
  if (op >= t.arity.length) widen(t, ['arity', 'family', 'payload', 'leaf'], op * 2);
  t.arity[op] = arity;
  t.family[op] = family;
  t.payload[op] = payload;
}

/** Appends a cell to the parents of class `child`. */
export function linkParent(t: NodeTable, cell: number, child: number): void {
  const tail = t.parTail[child] as number;
  if (tail === -1) setNextCell(t, cell, cell);
  else {
    setNextCell(t, cell, nextCell(t, tail));
    setNextCell(t, tail, cell);
  }
  t.parTail[child] = cell;
  t.parCount[child] = (t.parCount[child] as number) + 1;
}

/** The cell after `cell` in its circular list. */
export const nextCell = (t: NodeTable, cell: number): number =>
  (cell >= 0 ? t.parNext[cell] : t.poolNext[-2 - cell]) as number;

export function setNextCell(t: NodeTable, cell: number, to: number): void {
  if (cell >= 0) t.parNext[cell] = to;
  else t.poolNext[-2 - cell] = to;
}

/** The node that a cell belongs to. */
export const cellNode = (t: NodeTable, cell: number): number =>
  cell >= 0 ? cell >> 2 : (t.poolNode[-2 - cell] as number);
