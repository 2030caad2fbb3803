/** Finds the open scope with the latest use: a maximum over prefixes, in O(log depth). */

/** The times of the uses of scopes, by their depth. */
export interface LatestUse {
  readonly record: (depth: number, time: number) => void;
  /** The deepest scope above `depth` that was used at `since` or later; −1 if none was. */
  readonly deepestBelow: (depth: number, since: number) => number;
}

/** A table without uses. **Source** a segment tree of maxima. */
export function makeLatestUse(): LatestUse {
  let leafCount = 64;
  // The children of entry i are 2i and 2i + 1; the leaves are the last `leafCount` entries.
  let latest = new Float64Array(2 * leafCount).fill(-1);

  const grow = (): void => {
    const old = latest;
    const oldCount = leafCount;
    leafCount *= 2;
    latest = new Float64Array(2 * leafCount).fill(-1);
    latest.set(old.subarray(oldCount), leafCount);
    for (let i = leafCount - 1; i > 0; i--) latest[i] = larger(2 * i);
  };
  const larger = (i: number): number => Math.max(latest[i] as number, latest[i + 1] as number);

  return {
    record: (depth, time) => {
      while (depth >= leafCount) grow();
      // Times only grow, so an entry is the latest of all above it.
      for (let i = leafCount + depth; i > 0; i >>= 1) latest[i] = time;
    },
    deepestBelow: (depth, since) => {
      // The nodes that cover the leaves before `depth`, from the right: at each step up from a right
      // child, its left neighbour is one.
      while (depth >= leafCount) grow();
      for (let i = leafCount + depth; i > 1; i >>= 1) {
        if (i % 2 === 0 || (latest[i - 1] as number) < since) continue;
        let found = i - 1;
        while (found < leafCount) {
          found = (latest[2 * found + 1] as number) >= since ? 2 * found + 1 : 2 * found;
        }
        return found - leafCount;
      }
      return -1;
    },
  };
}
