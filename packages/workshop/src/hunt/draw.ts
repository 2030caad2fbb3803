/** The seeded choices of a graph: (seed, index) yields the same graph on every machine. */
import { fnv1a32, mulberry32 } from '@baton/base';

export interface Draw {
  /** Uniform in [0, 1). */
  readonly next: () => number;
  /** An integer from `low` to `high`, both included. */
  readonly int: (low: number, high: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <T>(items: readonly [T, ...T[]]) => T;
}

export function makeDraw(seed: number, index: number): Draw {
  const next = mulberry32(fnv1a32(`${seed}:${index}`));
  const int = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    int,
    chance: (probability) => next() < probability,
    pick: (items) => items[int(0, items.length - 1)] ?? items[0],
  };
}
