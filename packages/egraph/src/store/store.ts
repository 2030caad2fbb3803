import { bytesOf, isArray } from './arrays.ts';
import { hash3, hashN } from './hash.ts';
import { DEAD, LIVE, MANY, NodeLimitSignal, NodeTable, PRUNED } from './nodes.ts';

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

/** The arrays and counters of a store at one moment. */
export interface Snapshot extends Readonly<Record<string, unknown>> {
  readonly epoch: number;
  readonly unmodified: number[];
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
  unmodified: number[] = [];
  readonly #pending: number[] = [];
  readonly #pendingAnalysis: number[] = [];
  #cell = -1;
  #lastCell = -1;

  /** Whether congruence may be broken until the next rebuild. */
  get dirty(): boolean {
    return (
      this.#pending.length > 0 ||
      this.#pendingAnalysis.length > 0 ||
      this.unmodified.length > 0 ||
      this.#cell !== -1
    );
  }

  /** How many unions wait for congruence. */
  get backlog(): number {
    return this.#pending.length >> 1;
  }

  /** A node of any arity, made in class `into` (−1: in a class of its own) if it is new. */
  add(op: number, children: ArrayLike<number>, into: number): number {
    const count = children.length;
    return count > 3
      ? this.#addMany(op, children, into)
      : this.add3(
          op,
          count,
          children[0] as number,
          children[1] as number,
          children[2] as number,
          into,
        );
  }

  /** As `add`, with up to three children; those beyond `count` are not read. */
  add3(op: number, count: number, x: number, y: number, z: number, into: number): number {
    if (count === 0) {
      const known = this.find0(op);
      if (known >= 0) return known;
    }
    const a = count > 0 ? this.find(x) : 0;
    const b = count > 1 ? this.find(y) : 0;
    const c = count > 2 ? this.find(z) : 0;
    const hash = hash3(op, a, b, c);
    const found = this.probe(hash, op, a, b, c);
    if (found >= 0) return found;
    const n = this.make(hash, op, a, b, c, into);
    const cell = n << 2;
    if (count > 0) this.linkParent(cell + 1, a);
    else this.leaf[op] = n + 1;
    if (count > 1) this.linkParent(cell + 2, b);
    if (count > 2) this.linkParent(cell + 3, c);
    this.log?.made(n, op, x, y, z);
    this.hooks?.made(n);
    return n;
  }

  #addMany(op: number, children: ArrayLike<number>, into: number): number {
    const [at, count] = [this.poolSize, children.length];
    this.stage(children);
    const found = this.probePool(op, at, count);
    if (found >= 0) return found;
    const n = this.make(hashN(op, this.pool, at, count), op, at, count, MANY, into);
    this.poolSize = at + count;
    for (let i = 0; i < count; i++) {
      this.poolNode[at + i] = n;
      this.linkParent(-2 - at - i, this.pool[at + i] as number);
    }
    this.log?.madeMany(n, children);
    this.hooks?.made(n);
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
      this.#pendingAnalysis.push(this.nextCell(rootTail), rootTail);
    }
    if (loserTail !== -1) {
      const loserHead = this.nextCell(loserTail);
      this.#pending.push(loserHead, loserTail);
      if ((changed & 2) !== 0) this.#pendingAnalysis.push(loserHead, loserTail);
      if (rootTail !== -1) {
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
    if (tail !== -1) this.#pendingAnalysis.push(this.nextCell(tail), tail);
    this.changes++;
  }

  /** Takes the nodes for which `keep` is false out of class `c`. They stay known to the hashcons. */
  prune(c: number, keep: (n: number) => boolean): void {
    const next = this.next;
    let before = c;
    let n = c;
    do {
      const after = next[n] as number;
      if (this.status[n] === LIVE && !keep(n)) {
        this.status[n] = PRUNED;
        this.liveNodes--;
        this.changes++;
      }
      if (this.status[n] !== LIVE && n !== c) next[before] = after;
      else before = n;
      n = after;
    } while (n !== c);
  }

  /**
   * Restores congruence, working off at most about `budget` parents; true when nothing is left.
   */
  rebuildStep(budget: number): boolean {
    let left = budget;
    const [pending, pendingAnalysis] = [this.#pending, this.#pendingAnalysis];
    while (left > 0) {
      if (this.#cell !== -1) {
        left = this.#repairCells(left);
      } else if (pending.length > 0) {
        this.#lastCell = pending.pop() as number;
        this.#cell = pending.pop() as number;
      } else if (pendingAnalysis.length > 0) {
        left -= this.#propagate();
      } else return true;
    }
    return false;
  }

  /** Repairs from `cell` up to `lastCell`, or until the budget is used up; what is left of it. */
  #repairCells(budget: number): number {
    let left = budget;
    let cell = this.#cell;
    const last = this.#lastCell;
    for (;;) {
      const n = this.cellNode(cell);
      if (this.status[n] !== DEAD) this.#repair(n);
      left--;
      if (cell === last) {
        this.#cell = -1;
        return left;
      }
      cell = this.nextCell(cell);
      if (left <= 0) {
        this.#cell = cell;
        return 0;
      }
    }
  }

  #propagate(): number {
    const last = this.#pendingAnalysis.pop() as number;
    let cell = this.#pendingAnalysis.pop() as number;
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
  #repair(n: number): void {
    const { nodes, uf } = this;
    const r = n << 2;
    const op = nodes[r] as number;
    const count = this.arity[op] as number;
    if (count > 3) {
      this.#repairMany(n, op, count);
      return;
    }
    const a = nodes[r + 1] as number;
    const b = nodes[r + 2] as number;
    const c = nodes[r + 3] as number;
    const a2 = uf[a] === a ? a : this.find(a);
    const b2 = count < 2 || uf[b] === b ? b : this.find(b);
    const c2 = count < 3 || uf[c] === c ? c : this.find(c);
    if (a2 === a && b2 === b && c2 === c) return;
    this.remove(hash3(op, a, b, c), n);
    nodes[r + 1] = a2;
    nodes[r + 2] = b2;
    nodes[r + 3] = c2;
    this.#reinsert(n, hash3(op, a2, b2, c2));
  }

  #repairMany(n: number, op: number, count: number): void {
    const at = this.nodes[(n << 2) + 1] as number;
    const { pool, uf } = this;
    const isStale = (child: number): boolean => uf[child] !== child;
    if (!pool.subarray(at, at + count).some(isStale)) return;
    this.remove(hashN(op, pool, at, count), n);
    for (let i = at; i < at + count; i++) {
      pool[i] = this.find(pool[i] as number);
    }
    this.#reinsert(n, hashN(op, pool, at, count));
  }

  /** Node `n` has a new record, of this hash; another node may already have the same. */
  #reinsert(n: number, hash: number): void {
    const { nodes, status } = this;
    const r = n << 2;
    this.stamp[n] = this.epoch;
    this.changes++;
    const found = this.probe(
      hash,
      nodes[r] as number,
      nodes[r + 1] as number,
      nodes[r + 2] as number,
      nodes[r + 3] as number,
    );
    if (found < 0) {
      if (this.slotsUsed * 4 >= this.slots.length) this.rehash(hash);
      this.writeSlot(this.slot, hash, n + 1);
      return;
    }
    let loser = n;
    if (status[n] === LIVE && status[found] === PRUNED) {
      this.writeSlot(this.slot, hash, n + 1);
      loser = found;
    }
    if (status[loser] === LIVE) this.liveNodes--;
    status[loser] = DEAD;
    this.union(found, n);
  }

  /** A copy of the state. Nothing may be pending. */
  snapshot(): Snapshot {
    const own: [string, unknown][] = Object.entries(this);
    const copied = own.flatMap(([name, value]): [string, unknown][] =>
      isArray(value) ? [[name, value.slice()]] : typeof value === 'number' ? [[name, value]] : [],
    );
    const { epoch } = this;
    return { ...Object.fromEntries(copied), epoch, unmodified: [...this.unmodified] };
  }

  /** Returns to a state, which from then on belongs to this store. Limits and clocks stay. */
  restore(state: Snapshot): void {
    this.#pending.length = 0;
    this.#pendingAnalysis.length = 0;
    this.#cell = -1;
    const { nodeLimit, room, changes } = this;
    const epoch = Math.max(this.epoch, state.epoch);
    Object.assign(this, state, { nodeLimit, room, epoch, changes: changes + 1 });
  }

  /** Bytes held in arrays. */
  get bytes(): number {
    return bytesOf(this);
  }
}
