/** The tally of one application of a pass: its counters, and the times added to them. */
import { analysis, InvariantError } from '@baton/base';
import type { OpTable } from '@baton/ir';
import { type Count, countersWith, type Pass, type Timed } from './pass.ts';

export interface Tally {
  readonly count: Count;
  readonly timed: Timed;
  readonly counts: ReadonlyMap<string, number>;
  /** Milliseconds by counter. */
  readonly times: ReadonlyMap<string, number>;
}

/** The counters and remarks that a pass may count. */
const declaredCounters = analysis((pass: Pass) =>
  analysis(
    (ops: OpTable): ReadonlySet<string> => new Set([...pass.remarks, ...countersWith(pass, ops)]),
  ),
);

export function makeTally(pass: Pass, ops: OpTable, now: () => number): Tally {
  const counts = new Map<string, number>();
  const times = new Map<string, number>();
  const add = (sums: Map<string, number>, counter: string, by: number): void => {
    if (!declaredCounters(pass)(ops).has(counter)) {
      throw new InvariantError(`pass ${pass.name} counts only what it declares: ${counter}`);
    }
    if (by > 0) sums.set(counter, (sums.get(counter) ?? 0) + by);
  };
  return {
    counts,
    times,
    count: (counter, by = 1) => add(counts, counter, by),
    timed: (counter, work) => {
      const start = now();
      const made = work();
      add(times, counter, now() - start);
      return made;
    },
  };
}
