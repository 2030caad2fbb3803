/** The store: nodes closed under congruence. */
import { bytesOf, isArray } from './arrays.ts';
import { hash3, hashN } from './hash.ts';
import { makeNode, probe, probePool, stage } from './hashcons.ts';
import type { ProofLog } from './log.ts';
import {
  isNodeLimit,
  LIVE,
  linkParent,
  MANY,
  NodeTable,
  nextCell,
  PRUNED,
  setNextCell,
} from './nodes.ts';

/** The reason of a union that congruence forced. */
export const CONGRUENCE = -1;

/** The reactions of an analysis to changes of the store. */
export interface StoreHooks {
  /** Node `n` has just been made, in a class of one node or (if `n` is no root) inside another. */
  readonly made: (n: number) => void;
  /** Class `loser` is about to join `root`: bit 0 if the root's data changed, bit 1 the loser's. */
  readonly merged: (root: number, loser: number) => number;
  /** A child's data changed: true if the data of the class of `n` did. */
  readonly remade: (n: number) => boolean;
  /** The data of class `c` may have changed: modify the e-graph accordingly. */
  readonly modify: (c: number) => void;
}

/** The nodes of an e-graph, and the work left for `rebuildStep` to restore congruence. */
export class Store extends NodeTable {
  hooks: StoreHooks | undefined = undefined;
  log: ProofLog | undefined = undefined;
  reason: number = CONGRUENCE;
  unions = 0;
  /** Classes whose `modify` met the node limit. */
  unmodified: number[] = [];
  /** Ranges of cells, first and last, whose nodes may not be canonical. */
  readonly pending: number[] = [];
  /** Ranges of cells whose nodes' data may have to change. */
  readonly pendingAnalysis: number[] = [];

  get bytes(): number {
    return bytesOf(this);
  }

  /** The node with up to three canonical children, 0 for missing ones, or −1. */
  find3(op: number, a: number, b: number, c: number): number {
    return probe(this, hash3(op, a, b, c), op, a, b, c);
  }

  /** The node with this operator and these children, or −1. */
  lookup(op: number, children: ArrayLike<number>): number {
    const count = children.length;
    if (count === 0) return this.find0(op);
    if (count > 3) {
      stage(this, children);
      return probePool(this, op, this.poolSize, count);
    }
    const child = (i: number): number => (i < count ? this.find(children[i] as number) : 0);
    return this.find3(op, child(0), child(1), child(2));
  }

  /** A node of any arity, made in class `into` (−1: in a new class) if it is new. */
  add(op: number, children: ArrayLike<number>, into: number): number {
    const count = children.length;
    if (count > 3) return this.#addMany(op, children, into);
    const x = children[0] as number;
    return this.add3(op, count, x, children[1] as number, children[2] as number, into);
  }

  /** Like `add`, with up to three children; those beyond `count` are not read. */
  add3(op: number, count: number, x: number, y: number, z: number, into: number): number {
    if (count === 0) {
      const known = this.find0(op);
      if (known >= 0) return known;
    }
    const a = count > 0 ? this.find(x) : 0;
    const b = count > 1 ? this.find(y) : 0;
    const c = count > 2 ? this.find(z) : 0;
    const hash = hash3(op, a, b, c);
    const found = probe(this, hash, op, a, b, c);
    if (found >= 0) return found;
    const n = makeNode(this, hash, op, a, b, c, into);
    const cell = n << 2;
    if (count > 0) linkParent(this, cell + 1, a);
    else this.leaf[op] = n + 1;
    if (count > 1) linkParent(this, cell + 2, b);
    if (count > 2) linkParent(this, cell + 3, c);
    this.log?.made(n, x, y, z);
    this.hooks?.made(n);
    return n;
  }

  #addMany(op: number, children: ArrayLike<number>, into: number): number {
    const [at, count] = [this.poolSize, children.length];
    stage(this, children);
    const found = probePool(this, op, at, count);
    if (found >= 0) return found;
    const n = makeNode(this, hashN(op, this.pool, at, count), op, at, count, MANY, into);
    this.poolSize = at + count;
    for (let i = at; i < at + count; i++) {
      this.poolNode[i] = n;
      linkParent(this, -2 - i, this.pool[i] as number);
    }
    this.log?.madeMany(n, children);
    this.hooks?.made(n);
    return n;
  }

  /** Unites two classes; false if they were one. The one with fewer parents joins the other. */
  union(x: number, y: number): boolean {
    let root = this.find(x);
    let loser = this.find(y);
    if (root === loser) return false;
    if ((this.parCount[root] as number) < (this.parCount[loser] as number)) {
      const swap = root;
      root = loser;
      loser = swap;
    }
    this.log?.joined(x, y, this.reason);
    this.uf[loser] = root;
    this.changes++;
    this.unions++;
    this.classes--;
    const changed = this.hooks?.merged(root, loser) ?? 0;
    const next = this.next;
    const behind = next[root] as number;
    next[root] = next[loser] as number;
    next[loser] = behind;
    const rootTail = this.parTail[root] as number;
    const loserTail = this.parTail[loser] as number;
    if ((changed & 1) !== 0 && rootTail !== -1) {
      this.pendingAnalysis.push(nextCell(this, rootTail), rootTail);
    }
    if (loserTail !== -1) {
      const loserHead = nextCell(this, loserTail);
      this.pending.push(loserHead, loserTail);
      if ((changed & 2) !== 0) this.pendingAnalysis.push(loserHead, loserTail);
      if (rootTail !== -1) {
        setNextCell(this, loserTail, nextCell(this, rootTail));
        setNextCell(this, rootTail, loserHead);
      }
      this.parTail[root] = loserTail;
      this.parCount[root] = (this.parCount[root] as number) + (this.parCount[loser] as number);
    }
    if (this.hooks !== undefined) this.modify(root);
    return true;
  }

  /** Runs `modify` on a class; if the node limit stops it, again at a later rebuild. */
  modify(c: number): void {
    try {
      this.hooks?.modify(c);
    } catch (signal) {
      if (!isNodeLimit(signal)) throw signal;
      this.unmodified.push(c);
    }
  }

  /** The data of class `c` has changed, so its parents' data may change. */
  touchParents(c: number): void {
    const tail = this.parTail[c] as number;
    if (tail !== -1) this.pendingAnalysis.push(nextCell(this, tail), tail);
    this.changes++;
  }
}

/** Removes the nodes for which `keep` is false from class `c`, but not from the hashcons. */
export function prune(store: Store, c: number, keep: (n: number) => boolean): void {
  const { next } = store;
  let before = c;
  let n = c;
  do {
    const after = next[n] as number;
    if (store.status[n] === LIVE && !keep(n)) {
      store.status[n] = PRUNED;
      store.liveNodes--;
      store.changes++;
    }
    if (store.status[n] !== LIVE && n !== c) next[before] = after;
    else before = n;
    n = after;
  } while (n !== c);
}

/** The arrays and counters of a store at one moment. */
export interface Snapshot extends Readonly<Record<string, unknown>> {
  readonly epoch: number;
  readonly unmodified: number[];
}

/** A copy of the state. Nothing may be pending. */
export function snapshot(store: Store): Snapshot {
  const own: [string, unknown][] = Object.entries(store);
  const copied = own.flatMap(([name, value]): [string, unknown][] =>
    isArray(value) ? [[name, value.slice()]] : typeof value === 'number' ? [[name, value]] : [],
  );
  const { epoch, unmodified } = store;
  return { ...Object.fromEntries(copied), epoch, unmodified: [...unmodified] };
}

/** Returns to a state, which from then on belongs to this store. Limits and clocks stay. */
export function restore(store: Store, state: Snapshot): void {
  store.pending.length = 0;
  store.pendingAnalysis.length = 0;
  const { nodeLimit, room, changes } = store;
  const epoch = Math.max(store.epoch, state.epoch);
  Object.assign(store, state, { nodeLimit, room, epoch, changes: changes + 1 });
}
