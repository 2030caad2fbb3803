import { DEAD, LIVE } from './nodes.ts';
import type { Store } from './store.ts';

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
  private homes = 0;
  private seen = -1;

  /** Bytes held in arrays. */
  get bytes(): number {
    const lists = this.byOp.byteLength + this.opStart.byteLength + this.home.byteLength;
    return lists + this.rows.byteLength + this.rowNode.byteLength + this.index.byteLength;
  }

  /** Forgets everything, for example because the store went back in time. */
  reset(): void {
    this.seen = -1;
    this.homes = 0;
  }

  /** Brings the tables up to date. The store must be rebuilt. */
  refresh(store: Store, operatorCount: number): void {
    if (this.seen === store.changes && this.opStart.length === operatorCount + 2) return;
    this.fill(store, operatorCount);
    this.seen = store.changes;
  }

  private fill(store: Store, operatorCount: number): void {
    const { size, nodes, status, arity, stamp, epoch, uf } = store;
    if (this.home.length < size) {
      const home = new Int32Array(store.uf.length);
      home.set(this.home);
      this.home = home;
      this.index = new Int32Array(store.uf.length * 2 + 2);
    } else this.index.fill(0, 0, size * 2 + 2);
    const { home, index } = this;
    const known = this.homes;
    const opStart = new Int32Array(operatorCount + 2);
    let live = 0;
    let rows = 0;
    for (let n = 0; n < size; n++) {
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
      opStart[op + 1] = (opStart[op + 1] as number) + 1;
      live++;
      if (arity[op] === 0) continue;
      rows++;
      const i = c << 1;
      index[i] = (index[i] as number) + 1;
      index[i + 1] = (index[i + 1] as number) | (1 << (op & 31));
    }
    this.homes = size;
    if (this.byOp.length < live) this.byOp = new Int32Array(store.uf.length);
    if (this.rowNode.length < rows) {
      this.rows = new Int32Array(store.uf.length * 4);
      this.rowNode = new Int32Array(store.uf.length);
    }
    this.place(store, opStart, operatorCount);
  }

  /** Counting sort: by operator first, then, keeping that order, by class. */
  private place(store: Store, opStart: Int32Array, operatorCount: number): void {
    const { size, nodes, status, arity } = store;
    const { home, index, byOp } = this;
    for (let o = 0; o < operatorCount; o++) {
      opStart[o + 1] = (opStart[o + 1] as number) + (opStart[o] as number);
    }
    const at = opStart.slice();
    for (let n = 0; n < size; n++) {
      if (status[n] !== LIVE) continue;
      const op = nodes[n << 2] as number;
      const to = at[op] as number;
      byOp[to] = n;
      at[op] = to + 1;
    }
    let total = 0;
    for (let c = 0; c < size; c++) {
      const count = index[c << 1] as number;
      index[c << 1] = total;
      total += count;
    }
    index[size << 1] = total;
    // After placing, each start has moved to its end, which is the next class's start: shift back.
    const { rows, rowNode } = this;
    const live = opStart[operatorCount] as number;
    for (let i = 0; i < live; i++) {
      const n = byOp[i] as number;
      const r = n << 2;
      const op = nodes[r] as number;
      if (arity[op] === 0) continue;
      const c = (home[n] as number) << 1;
      const to = index[c] as number;
      index[c] = to + 1;
      const w = to << 2;
      rows[w] = op;
      rows[w + 1] = nodes[r + 1] as number;
      rows[w + 2] = nodes[r + 2] as number;
      rows[w + 3] = nodes[r + 3] as number;
      rowNode[to] = n;
    }
    for (let c = size; c > 0; c--) index[c << 1] = index[(c - 1) << 1] as number;
    index[0] = 0;
    this.opStart = opStart;
  }
}
