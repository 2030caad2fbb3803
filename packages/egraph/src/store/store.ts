import { bytesOf, isArray } from './arrays.ts';
import { hash3, hashN } from './hash.ts';
import { DEAD, LIVE, NodeLimitSignal, NodeTable, PRUNED } from './nodes.ts';

/** The reason of a union that congruence forced. */
export const CONGRUENCE = -1;

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

/**
 * The nodes of an e-graph, and what keeps them closed under congruence: unions are queued, and
 * `rebuildStep` works the queue off.
 */
export class Store extends NodeTable {
  hooks: StoreHooks | undefined = undefined;
  log: StoreLog | undefined = undefined;
  reason: number = CONGRUENCE;
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

  /** How many unions wait for congruence. */
  get backlog(): number {
    return this.pending.length >> 1;
  }

  /** The leaf `op`, made in class `into` (−1: in a class of its own) if it is new. */
  add0(op: number, into: number): number {
    const known = this.find0(op);
    if (known >= 0) return known;
    const hash = hash3(op, 0, 0, 0);
    this.probe(hash, op, 0, 0, 0);
    const n = this.make(hash, op, 0, 0, 0, into);
    this.leaf[op] = n + 1;
    if (this.log !== undefined) this.log.made(n, op, 0, 0, 0);
    if (this.hooks !== undefined) this.hooks.made(n);
    return n;
  }

  add1(op: number, x: number, into: number): number {
    const a = this.find(x);
    const hash = hash3(op, a, 0, 0);
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
    const hash = hash3(op, a, b, 0);
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
    if (t !== undefined) {
      t.save(this, 'uf', loser);
      t.save(this, 'next', root);
      t.save(this, 'next', loser);
      this.saveParents(t, root);
    }
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
          this.saveCell(t, rootTail);
          this.saveCell(t, loserTail);
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
        if (t !== undefined) t.save(this, 'status', n);
        this.status[n] = PRUNED;
        this.liveNodes--;
        this.changes++;
        unlink = true;
      }
      if (unlink && n !== c) {
        if (t !== undefined) t.save(this, 'next', before);
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
    if (t !== undefined) for (let i = 1; i <= 3; i++) t.save(this, 'nodes', r + i);
    this.remove(hash3(op, a, b, c), n);
    const hash = hash3(op, a2, b2, c2);
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
      if (t !== undefined) t.save(this, 'pool', at + i);
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
    if (t !== undefined) t.save(this, 'status', loser);
    if (this.status[loser] === LIVE) this.liveNodes--;
    this.status[loser] = DEAD;
    this.union(found, n);
  }

  /** Forgets the work of the next rebuild, because its cause is being undone. */
  dropPending(): void {
    this.pending.length = 0;
    this.pendingAnalysis.length = 0;
    this.cell = -1;
  }

  /** Makes `copy`, which is new, equal to this store. Nothing may be pending. */
  copyTo(copy: Store): void {
    const { nodeLimit } = copy;
    const own: [string, unknown][] = Object.entries(this);
    for (const field of own) if (isArray(field[1])) field[1] = field[1].slice();
    const copied = own.filter(([, value]) => typeof value === 'number' || isArray(value));
    Object.assign(copy, Object.fromEntries(copied), { nodeLimit });
    copy.unmodified.push(...this.unmodified);
  }

  /** Bytes held in arrays. */
  get bytes(): number {
    return bytesOf(this);
  }
}
