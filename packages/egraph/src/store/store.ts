import { invariant } from '@baton/base';
import { hash0, hash1, hash2, hash3, hashN } from './hash.ts';
import type { Trail } from './trail.ts';

/** A node that a congruent one replaced. */
export const DEAD = 0;
/** A node that is part of its class. */
export const LIVE = 1;
/** A node that is known and found, but no longer part of its class. */
export const PRUNED = 2;

/** The reason of a union that congruence forced. */
export const CONGRUENCE = -1;

const EMPTY = 0;
const TOMBSTONE = -1;
const FIRST_CAPACITY = 1024;

/** Thrown when a new node would exceed the node limit: caught by the runner, never by users. */
export class NodeLimitSignal extends Error {
  override readonly name = 'NodeLimitSignal';
}

/** What an analysis does when the store changes. */
export interface StoreHooks {
  /** Node `n` has just been made, alone in its class or (if `n` is no root) inside one. */
  readonly made: (n: number) => void;
  /** Class `loser` is about to join `root`: bit 0 if the root's data changed, bit 1 the loser's. */
  readonly merged: (root: number, loser: number) => number;
  /** A child's data changed: true if the data of the class of `n` did. */
  readonly remade: (n: number) => boolean;
  /** The data of class `c` may have changed: modify the e-graph accordingly. */
  readonly modify: (c: number) => void;
}

/** What proofs need to know of changes. */
export interface StoreLog {
  /** Node `n` was made with these children, which may not be canonical. */
  readonly made: (n: number, op: number, a: number, b: number, c: number) => void;
  readonly madeMany: (n: number, children: ArrayLike<number>) => void;
  /** `a` and `b` became equal for `reason`. */
  readonly joined: (a: number, b: number, reason: number) => void;
}

const ARRAYS = [
  'uf',
  'nodes',
  'next',
  'stamp',
  'parNext',
  'parTail',
  'parCount',
  'pool',
  'poolNext',
  'poolNode',
  'slots',
  'arity',
] as const;

const grown = (old: Int32Array, length: number): Int32Array<ArrayBuffer> => {
  const next = new Int32Array(length);
  next.set(old);
  return next;
};

/**
 * The e-graph as flat arrays: nodes, hashcons, union-find, parent lists, rebuild.
 *
 * Node `n` made class `n`. Its record is `nodes[4n..]`: operator, then up to three children, or, for
 * more, where its children start in `pool`. A class's nodes are the circular list `next` through its
 * root. Its parents are a circular list of *cells*, one per child position: cell `4n+1+i` is child
 * `i` of node `n`; a negative cell −2−p is `pool[p]`. A list is concatenated in O(1), and the stretch
 * from its old first to its old last cell stays a stretch: `pending` names such stretches.
 */
export class Store {
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
  slotMask: number = FIRST_CAPACITY * 2 - 1;
  slotsUsed = 0;
  /** The number of nodes ever made, which is the next id. */
  size = 0;
  liveNodes = 0;
  classes = 0;
  nodeLimit = 0x1fffffff;
  epoch = 0;
  /** Arity by operator. */
  arity: Int32Array = new Int32Array(64);
  hooks: StoreHooks | undefined = undefined;
  log: StoreLog | undefined = undefined;
  reason: number = CONGRUENCE;
  trail: Trail | undefined = undefined;
  /** Whether matching must look at the nodes again: see `Tables`. */
  changes = 0;
  unions = 0;
  /** Classes whose `modify` met the node limit. */
  readonly unmodified: number[] = [];
  private readonly pending: number[] = [];
  private readonly pendingAnalysis: number[] = [];
  private cell = -1;
  private lastCell = -1;

  /** Whether congruence may be broken until the next rebuild. */
  get dirty(): boolean {
    return (
      this.pending.length > 0 ||
      this.pendingAnalysis.length > 0 ||
      this.unmodified.length > 0 ||
      this.cell !== -1
    );
  }

  /** The canonical id of a class. */
  find(x: number): number {
    const uf = this.uf;
    const up = uf[x] as number;
    return up === x || uf[up] === up ? up : this.findFar(x);
  }

  private findFar(start: number): number {
    const uf = this.uf;
    let x = start;
    let up = uf[x] as number;
    // Under a trail paths stay as they are, so that undoing a union undoes all of it.
    const halve = this.trail === undefined;
    while (up !== x) {
      const above = uf[up] as number;
      if (halve) uf[x] = above;
      x = above;
      up = uf[x] as number;
    }
    return x;
  }

  /** The node with operator `op` and no children, or −1. */
  find0(op: number): number {
    return this.probe(hash0(op), op, 0, 0, 0);
  }

  find1(op: number, a: number): number {
    return this.probe(hash1(op, a), op, a, 0, 0);
  }

  find2(op: number, a: number, b: number): number {
    return this.probe(hash2(op, a, b), op, a, b, 0);
  }

  find3(op: number, a: number, b: number, c: number): number {
    return this.probe(hash3(op, a, b, c), op, a, b, c);
  }

  /** The node with these canonical children, more than three, or −1. */
  findN(op: number, children: Int32Array, at: number): number {
    const count = this.arity[op] as number;
    return this.probeN(hashN(op, children, at, count), op, children, at, count);
  }

  /** The slot of the last probe: where the key is, or where it would go. */
  private slot = 0;

  private probe(hash: number, op: number, a: number, b: number, c: number): number {
    const { slots, nodes, slotMask } = this;
    let free = -1;
    for (let s = hash & slotMask; ; s = (s + 1) & slotMask) {
      const entry = slots[s * 2 + 1] as number;
      if (entry === EMPTY) {
        this.slot = free < 0 ? s : free;
        return -1;
      }
      if (entry === TOMBSTONE) {
        if (free < 0) free = s;
      } else if (slots[s * 2] === hash) {
        const r = (entry - 1) << 2;
        if (nodes[r] === op && nodes[r + 1] === a && nodes[r + 2] === b && nodes[r + 3] === c) {
          this.slot = s;
          return entry - 1;
        }
      }
    }
  }

  private probeN(
    hash: number,
    op: number,
    children: Int32Array,
    at: number,
    count: number,
  ): number {
    const { slots, nodes, slotMask, pool } = this;
    let free = -1;
    for (let s = hash & slotMask; ; s = (s + 1) & slotMask) {
      const entry = slots[s * 2 + 1] as number;
      if (entry === EMPTY) {
        this.slot = free < 0 ? s : free;
        return -1;
      }
      if (entry === TOMBSTONE) {
        if (free < 0) free = s;
      } else if (slots[s * 2] === hash) {
        const r = (entry - 1) << 2;
        if (nodes[r] !== op) continue;
        const start = nodes[r + 1] as number;
        let i = 0;
        while (i < count && pool[start + i] === children[at + i]) i++;
        if (i === count) {
          this.slot = s;
          return entry - 1;
        }
      }
    }
  }

  /** The leaf `op`, made in class `into` (−1: in a class of its own) if it is new. */
  add0(op: number, into: number): number {
    const hash = hash0(op);
    const found = this.probe(hash, op, 0, 0, 0);
    if (found >= 0) return found;
    const n = this.make(hash, op, 0, 0, 0, into);
    if (this.log !== undefined) this.log.made(n, op, 0, 0, 0);
    if (this.hooks !== undefined) this.hooks.made(n);
    return n;
  }

  add1(op: number, x: number, into: number): number {
    const a = this.find(x);
    const hash = hash1(op, a);
    const found = this.probe(hash, op, a, 0, 0);
    if (found >= 0) return found;
    const n = this.make(hash, op, a, 0, 0, into);
    this.linkParent((n << 2) + 1, a);
    if (this.log !== undefined) this.log.made(n, op, x, 0, 0);
    if (this.hooks !== undefined) this.hooks.made(n);
    return n;
  }

  add2(op: number, x: number, y: number, into: number): number {
    const a = this.find(x);
    const b = this.find(y);
    const hash = hash2(op, a, b);
    const found = this.probe(hash, op, a, b, 0);
    if (found >= 0) return found;
    const n = this.make(hash, op, a, b, 0, into);
    this.linkParent((n << 2) + 1, a);
    if (a !== b) this.linkParent((n << 2) + 2, b);
    else this.parCount[a] = (this.parCount[a] as number) + 1;
    if (this.log !== undefined) this.log.made(n, op, x, y, 0);
    if (this.hooks !== undefined) this.hooks.made(n);
    return n;
  }

  add3(op: number, x: number, y: number, z: number, into: number): number {
    const a = this.find(x);
    const b = this.find(y);
    const c = this.find(z);
    const hash = hash3(op, a, b, c);
    const found = this.probe(hash, op, a, b, c);
    if (found >= 0) return found;
    const n = this.make(hash, op, a, b, c, into);
    this.linkParent((n << 2) + 1, a);
    if (a !== b) this.linkParent((n << 2) + 2, b);
    else this.parCount[a] = (this.parCount[a] as number) + 1;
    if (a !== c && b !== c) this.linkParent((n << 2) + 3, c);
    else this.parCount[c] = (this.parCount[c] as number) + 1;
    if (this.log !== undefined) this.log.made(n, op, x, y, z);
    if (this.hooks !== undefined) this.hooks.made(n);
    return n;
  }

  /** A node of any arity. */
  add(op: number, children: ArrayLike<number>, into: number): number {
    const [a, b, c] = [children[0] as number, children[1] as number, children[2] as number];
    switch (children.length) {
      case 0:
        return this.add0(op, into);
      case 1:
        return this.add1(op, a, into);
      case 2:
        return this.add2(op, a, b, into);
      case 3:
        return this.add3(op, a, b, c, into);
      default:
        return this.addMany(op, children, into);
    }
  }

  private addMany(op: number, children: ArrayLike<number>, into: number): number {
    const count = children.length;
    const at = this.poolSize;
    this.reservePool(at + count);
    const pool = this.pool;
    for (let i = 0; i < count; i++) pool[at + i] = this.find(children[i] as number);
    const hash = hashN(op, pool, at, count);
    const found = this.probeN(hash, op, pool, at, count);
    if (found >= 0) return found;
    const n = this.make(hash, op, at, 0, 0, into);
    this.poolSize = at + count;
    for (let i = 0; i < count; i++) {
      this.poolNode[at + i] = n;
      this.linkParent(-2 - at - i, pool[at + i] as number);
    }
    if (this.log !== undefined) this.log.madeMany(n, children);
    if (this.hooks !== undefined) this.hooks.made(n);
    return n;
  }

  /** The node with this operator and these children, or −1. */
  lookup(op: number, children: ArrayLike<number>): number {
    const [a, b, c] = [children[0] as number, children[1] as number, children[2] as number];
    switch (children.length) {
      case 0:
        return this.find0(op);
      case 1:
        return this.find1(op, this.find(a));
      case 2:
        return this.find2(op, this.find(a), this.find(b));
      case 3:
        return this.find3(op, this.find(a), this.find(b), this.find(c));
      default:
        return this.findN(
          op,
          Int32Array.from(children, (child) => this.find(child)),
          0,
        );
    }
  }

  private make(hash: number, op: number, a: number, b: number, c: number, into: number): number {
    if (this.liveNodes >= this.nodeLimit) throw new NodeLimitSignal();
    const n = this.size;
    if (n === this.uf.length) this.grow(n * 2);
    if (this.slotsUsed * 2 >= this.slotMask) this.rehash(hash);
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
      const t = this.trail;
      if (t !== undefined) t.next(this, into);
      this.uf[n] = into;
      this.next[n] = this.next[into] as number;
      this.next[into] = n;
    }
    return n;
  }

  private linkParent(cell: number, child: number): void {
    const t = this.trail;
    if (t !== undefined) t.parents(this, child);
    const tail = this.parTail[child] as number;
    if (tail === -1) this.setNextCell(cell, cell);
    else {
      this.setNextCell(cell, this.nextCell(tail));
      if (t !== undefined) t.cell(this, tail);
      this.setNextCell(tail, cell);
    }
    this.parTail[child] = cell;
    this.parCount[child] = (this.parCount[child] as number) + 1;
  }

  /** The cell behind `cell` in its circular list. */
  nextCell(cell: number): number {
    return (cell >= 0 ? this.parNext[cell] : this.poolNext[-2 - cell]) as number;
  }

  private setNextCell(cell: number, to: number): void {
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

  /** Makes two classes one; false if they were. The one with fewer parents joins the other. */
  union(x: number, y: number): boolean {
    let root = this.find(x);
    let loser = this.find(y);
    if (root === loser) return false;
    if ((this.parCount[root] as number) < (this.parCount[loser] as number)) {
      const swap = root;
      root = loser;
      loser = swap;
    }
    if (this.log !== undefined) this.log.joined(x, y, this.reason);
    const t = this.trail;
    if (t !== undefined) t.union(this, root, loser);
    this.uf[loser] = root;
    this.changes++;
    this.unions++;
    this.classes--;
    const changed = this.hooks === undefined ? 0 : this.hooks.merged(root, loser);
    const next = this.next;
    const behind = next[root] as number;
    next[root] = next[loser] as number;
    next[loser] = behind;
    const rootTail = this.parTail[root] as number;
    const loserTail = this.parTail[loser] as number;
    if ((changed & 1) !== 0 && rootTail !== -1) {
      this.pendingAnalysis.push(this.nextCell(rootTail), rootTail);
    }
    if (loserTail !== -1) {
      const loserHead = this.nextCell(loserTail);
      this.pending.push(loserHead, loserTail);
      if ((changed & 2) !== 0) this.pendingAnalysis.push(loserHead, loserTail);
      if (rootTail !== -1) {
        if (t !== undefined) {
          t.cell(this, rootTail);
          t.cell(this, loserTail);
        }
        this.setNextCell(loserTail, this.nextCell(rootTail));
        this.setNextCell(rootTail, loserHead);
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
      if (!(signal instanceof NodeLimitSignal)) throw signal;
      this.unmodified.push(c);
    }
  }

  /** The data of class `c` has changed: its parents' data may have to. */
  touchParents(c: number): void {
    const tail = this.parTail[c] as number;
    if (tail !== -1) this.pendingAnalysis.push(this.nextCell(tail), tail);
    this.changes++;
  }

  /** Takes the nodes for which `keep` is false out of class `c`. They stay known to the hashcons. */
  prune(c: number, keep: (n: number) => boolean): void {
    const next = this.next;
    const t = this.trail;
    let before = c;
    let n = c;
    do {
      const after = next[n] as number;
      let unlink = this.status[n] !== LIVE;
      if (!unlink && !keep(n)) {
        if (t !== undefined) t.status(this, n);
        this.status[n] = PRUNED;
        this.liveNodes--;
        this.changes++;
        unlink = true;
      }
      if (unlink && n !== c) {
        if (t !== undefined) t.next(this, before);
        next[before] = after;
      } else before = n;
      n = after;
    } while (n !== c);
  }

  /**
   * Restores congruence, working off at most about `budget` parents; true when nothing is left.
   */
  rebuildStep(budget: number): boolean {
    let left = budget;
    const { pending, pendingAnalysis } = this;
    while (left > 0) {
      if (this.cell !== -1) {
        left = this.repairCells(left);
      } else if (pending.length > 0) {
        this.lastCell = pending.pop() as number;
        this.cell = pending.pop() as number;
      } else if (pendingAnalysis.length > 0) {
        left -= this.propagate();
      } else return true;
    }
    return false;
  }

  /** Repairs from `cell` up to `lastCell`, or until the budget is used up; what is left of it. */
  private repairCells(budget: number): number {
    let left = budget;
    let cell = this.cell;
    const last = this.lastCell;
    for (;;) {
      const n = this.cellNode(cell);
      if (this.status[n] !== DEAD) this.repair(n);
      left--;
      if (cell === last) {
        this.cell = -1;
        return left;
      }
      cell = this.nextCell(cell);
      if (left <= 0) {
        this.cell = cell;
        return 0;
      }
    }
  }

  private propagate(): number {
    const last = this.pendingAnalysis.pop() as number;
    let cell = this.pendingAnalysis.pop() as number;
    const hooks = this.hooks;
    let steps = 1;
    for (;;) {
      const n = this.cellNode(cell);
      if (this.status[n] !== DEAD && hooks !== undefined) {
        this.stamp[n] = this.epoch;
        if (hooks.remade(n)) {
          const c = this.find(n);
          this.touchParents(c);
          this.modify(c);
        }
      }
      steps++;
      if (cell === last) return steps;
      cell = this.nextCell(cell);
    }
  }

  /** Brings the children of node `n` up to date and its key back into the hashcons. */
  private repair(n: number): void {
    const { nodes, uf } = this;
    const r = n << 2;
    const op = nodes[r] as number;
    const count = this.arity[op] as number;
    if (count > 3) {
      this.repairMany(n, op, count);
      return;
    }
    const a = nodes[r + 1] as number;
    const b = nodes[r + 2] as number;
    const c = nodes[r + 3] as number;
    const a2 = uf[a] === a ? a : this.find(a);
    const b2 = count < 2 || uf[b] === b ? b : this.find(b);
    const c2 = count < 3 || uf[c] === c ? c : this.find(c);
    if (a2 === a && b2 === b && c2 === c) return;
    const t = this.trail;
    if (t !== undefined) t.record(this, n);
    let hash: number;
    if (count === 2) {
      this.remove(hash2(op, a, b), n);
      hash = hash2(op, a2, b2);
    } else if (count === 1) {
      this.remove(hash1(op, a), n);
      hash = hash1(op, a2);
    } else {
      this.remove(hash3(op, a, b, c), n);
      hash = hash3(op, a2, b2, c2);
    }
    nodes[r + 1] = a2;
    nodes[r + 2] = b2;
    nodes[r + 3] = c2;
    this.stamp[n] = this.epoch;
    this.changes++;
    this.reinsert(n, hash, this.probe(hash, op, a2, b2, c2));
  }

  private repairMany(n: number, op: number, count: number): void {
    const at = this.nodes[(n << 2) + 1] as number;
    const pool = this.pool;
    let same = true;
    for (let i = 0; i < count; i++) {
      const child = pool[at + i] as number;
      if (this.uf[child] !== child) same = false;
    }
    if (same) return;
    this.remove(hashN(op, pool, at, count), n);
    const t = this.trail;
    for (let i = 0; i < count; i++) {
      const child = pool[at + i] as number;
      const root = this.find(child);
      if (root === child) continue;
      if (t !== undefined) t.pool(this, at + i);
      pool[at + i] = root;
    }
    this.stamp[n] = this.epoch;
    this.changes++;
    const hash = hashN(op, pool, at, count);
    this.reinsert(n, hash, this.probeN(hash, op, pool, at, count));
  }

  /** Node `n` has a new key: `found` is the node that already has it, or −1. */
  private reinsert(n: number, hash: number, found: number): void {
    if (found < 0) {
      if (this.slotsUsed * 2 >= this.slotMask) this.rehash(hash);
      this.writeSlot(this.slot, hash, n + 1);
      return;
    }
    const t = this.trail;
    let loser = n;
    if (this.status[n] === LIVE && this.status[found] === PRUNED) {
      this.writeSlot(this.slot, hash, n + 1);
      loser = found;
    }
    if (t !== undefined) t.status(this, loser);
    if (this.status[loser] === LIVE) this.liveNodes--;
    this.status[loser] = DEAD;
    this.union(found, n);
  }

  /** Deletes node `n`, whose key has this hash, from the hashcons. */
  private remove(hash: number, n: number): void {
    const { slots, slotMask } = this;
    let s = hash & slotMask;
    for (; slots[s * 2 + 1] !== n + 1; s = (s + 1) & slotMask) {
      invariant(slots[s * 2 + 1] !== EMPTY, 'every node that is not dead is in the hashcons');
    }
    // A slot before an empty one need not be remembered as deleted.
    const after = (s + 1) & slotMask;
    const isLast = slots[after * 2 + 1] === EMPTY;
    if (isLast) this.slotsUsed--;
    if (this.trail !== undefined) this.trail.slot(this, s);
    slots[s * 2 + 1] = isLast ? EMPTY : TOMBSTONE;
  }

  private writeSlot(s: number, hash: number, entry: number): void {
    if (this.trail !== undefined) this.trail.slot(this, s);
    const slots = this.slots;
    if (slots[s * 2 + 1] === EMPTY) this.slotsUsed++;
    slots[s * 2] = hash;
    slots[s * 2 + 1] = entry;
  }

  /** Makes room in the hashcons and finds the slot for a new key again. */
  private rehash(hash: number): void {
    const old = this.slots;
    let kept = 0;
    for (let s = 1; s < old.length; s += 2) if ((old[s] as number) > 0) kept++;
    let length = this.slotMask + 1;
    while (length < kept * 4) length *= 2;
    if (this.trail !== undefined) this.trail.slots(this);
    const slots = new Int32Array(length * 2);
    const mask = length - 1;
    for (let s = 0; s < old.length; s += 2) {
      const entry = old[s + 1] as number;
      if (entry <= 0) continue;
      const h = old[s] as number;
      let to = h & mask;
      while (slots[to * 2 + 1] !== EMPTY) to = (to + 1) & mask;
      slots[to * 2] = h;
      slots[to * 2 + 1] = entry;
    }
    this.slots = slots;
    this.slotMask = mask;
    this.slotsUsed = kept;
    let s = hash & mask;
    while (slots[s * 2 + 1] !== EMPTY) s = (s + 1) & mask;
    this.slot = s;
  }

  /** Makes room for `capacity` nodes. */
  grow(capacity: number): void {
    if (capacity <= this.uf.length) return;
    this.uf = grown(this.uf, capacity);
    this.nodes = grown(this.nodes, capacity * 4);
    this.next = grown(this.next, capacity);
    this.stamp = grown(this.stamp, capacity);
    this.parNext = grown(this.parNext, capacity * 4);
    this.parTail = grown(this.parTail, capacity);
    this.parCount = grown(this.parCount, capacity);
    const status = new Uint8Array(capacity);
    status.set(this.status);
    this.status = status;
  }

  private reservePool(length: number): void {
    if (length <= this.pool.length) return;
    const capacity = Math.max(length, this.pool.length * 2);
    this.pool = grown(this.pool, capacity);
    this.poolNext = grown(this.poolNext, capacity);
    this.poolNode = grown(this.poolNode, capacity);
  }

  /** Forgets the work of the next rebuild, because its cause is being undone. */
  dropPending(): void {
    this.pending.length = 0;
    this.pendingAnalysis.length = 0;
    this.cell = -1;
  }

  /** Makes `copy`, which is new, equal to this store. Nothing may be pending. */
  copyTo(copy: Store): void {
    for (const name of ARRAYS) copy[name] = this[name].slice();
    copy.status = this.status.slice();
    copy.poolSize = this.poolSize;
    copy.slotMask = this.slotMask;
    copy.slotsUsed = this.slotsUsed;
    copy.size = this.size;
    copy.liveNodes = this.liveNodes;
    copy.classes = this.classes;
    copy.epoch = this.epoch;
    copy.changes = this.changes;
    copy.unions = this.unions;
    copy.unmodified.push(...this.unmodified);
  }

  /** Tells the store the arity of a new operator. */
  setArity(op: number, arity: number): void {
    if (op >= this.arity.length) this.arity = grown(this.arity, op * 2);
    this.arity[op] = arity;
  }

  /** Bytes held in arrays. */
  get bytes(): number {
    const perNode = this.uf.byteLength + this.next.byteLength + this.stamp.byteLength;
    const lists = this.parNext.byteLength + this.parTail.byteLength + this.parCount.byteLength;
    const records = this.nodes.byteLength + this.status.byteLength + this.slots.byteLength;
    return perNode + lists + records + this.pool.byteLength * 3;
  }
}
