import type { ProofLog } from './log.ts';

/** An equality of the log, walked from `from` to `to`. */
export interface Edge {
  readonly from: number;
  readonly to: number;
  readonly reason: number;
  /** Whether the log has it the other way round. */
  readonly reversed: boolean;
}

/**
 * The equalities of a log as a forest. The e-graph logs one only when it joins two classes, so
 * between two equal nodes there is one path, and all of it is as old as their equality: that is why
 * an explanation never goes in circles.
 */
export class Forest {
  private readonly parent: Int32Array;
  private readonly edge: Int32Array;
  private readonly depth: Int32Array;
  private readonly log: ProofLog;

  constructor(log: ProofLog, size: number) {
    this.log = log;
    this.parent = new Int32Array(size).fill(-1);
    this.edge = new Int32Array(size);
    this.depth = new Int32Array(size).fill(-1);
    this.root(size);
  }

  /** Walks every tree from its lowest node. */
  private root(size: number): void {
    const { data, length } = this.log.unions;
    const start = new Int32Array(size + 2);
    for (let i = 0; i < length; i += 3) {
      for (const n of [data[i] as number, data[i + 1] as number]) {
        start[n + 2] = (start[n + 2] as number) + 1;
      }
    }
    for (let n = 1; n < start.length; n++) {
      start[n] = (start[n] as number) + (start[n - 1] as number);
    }
    const edges = new Int32Array((length / 3) * 2);
    for (let i = 0; i < length; i += 3) {
      for (const n of [data[i] as number, data[i + 1] as number]) {
        const at = start[n + 1] as number;
        edges[at] = i;
        start[n + 1] = at + 1;
      }
    }
    for (let n = 0; n < size; n++) {
      if (this.depth[n] !== -1) continue;
      this.depth[n] = 0;
      const pending = [n];
      while (pending.length > 0) {
        const x = pending.pop() as number;
        for (let at = start[x] as number; at < (start[x + 1] as number); at++) {
          const i = edges[at] as number;
          const y = (data[i] === x ? data[i + 1] : data[i]) as number;
          if (this.depth[y] !== -1) continue;
          this.depth[y] = (this.depth[x] as number) + 1;
          this.parent[y] = x;
          this.edge[y] = i;
          pending.push(y);
        }
      }
    }
  }

  /** The equalities that lead from `a` to `b`; `undefined` if nothing does. */
  path(a: number, b: number): ReadonlyArray<Edge> | undefined {
    const up: Edge[] = [];
    const down: Edge[] = [];
    let x = a;
    let y = b;
    while (x !== y) {
      const climbX = (this.depth[x] as number) >= (this.depth[y] as number);
      const from = climbX ? x : y;
      const to = this.parent[from] as number;
      if (to === -1) return undefined;
      if (climbX) {
        up.push(this.walk(from, to, this.edge[from] as number));
        x = to;
      } else {
        down.push(this.walk(to, from, this.edge[from] as number));
        y = to;
      }
    }
    return [...up, ...down.reverse()];
  }

  private walk(from: number, to: number, i: number): Edge {
    const { data } = this.log.unions;
    return { from, to, reason: data[i + 2] as number, reversed: data[i] !== from };
  }
}
