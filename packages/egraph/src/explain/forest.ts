/** The logged equalities as a forest, and paths in it. */
import { invariant } from '@baton/base';
import type { ProofLog } from '../store/log.ts';

/** The other end of an equality: each is a triple node, node, reason. */
export const otherEnd = (end: number): number => (end % 3 === 0 ? end + 1 : end - 1);

/**
 * The path between two equal nodes, as places in `log.unions`: each is the end at which the path
 * enters an equality.
 *
 * The e-graph logs an equality only when it joins two classes, so the log is a forest: two equal
 * nodes have one path, and all of it is as old as their equality. Explanations therefore never go
 * in circles.
 */
export function makePaths(
  { unions: { data, length } }: ProofLog,
  size: number,
): (a: number, b: number) => ReadonlyArray<number> {
  // The ends at each node, as linked lists.
  const first = new Int32Array(size).fill(-1);
  const next = new Int32Array(length);
  for (let end = 0; end < length; end++) {
    if (end % 3 === 2) continue;
    const n = data[end] as number;
    next[end] = first[n] as number;
    first[n] = end;
  }
  // The distance of each node from the root of its tree, and its end of the equality towards it.
  const depth = new Int32Array(size).fill(-1);
  const up = new Int32Array(size).fill(-1);
  for (let root = 0; root < size; root++) {
    if (depth[root] !== -1) continue;
    depth[root] = 0;
    const pending = [root];
    for (let n = pending.pop(); n !== undefined; n = pending.pop()) {
      for (let end = first[n] as number; end >= 0; end = next[end] as number) {
        const far = otherEnd(end);
        const other = data[far] as number;
        if (depth[other] !== -1) continue;
        depth[other] = (depth[n] as number) + 1;
        up[other] = far;
        pending.push(other);
      }
    }
  }
  return (a, b) => {
    const ascent: number[] = [];
    const descent: number[] = [];
    let [x, y] = [a, b];
    while (x !== y) {
      const climbs = (depth[x] as number) >= (depth[y] as number);
      const end = up[climbs ? x : y] as number;
      invariant(end >= 0, 'equal nodes are connected in the log');
      const far = otherEnd(end);
      if (climbs) {
        ascent.push(end);
        x = data[far] as number;
      } else {
        descent.push(far);
        y = data[far] as number;
      }
    }
    return [...ascent, ...descent.reverse()];
  };
}
