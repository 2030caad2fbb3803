/** The tally of one application of a pass: how often its rows applied, and the time that they took. */
import { analysis, InvariantError } from '@baton/base';
import type { OpTable } from '@baton/ir';
import { type Count, type Pass, rowsWith, type Timed } from './pass.ts';

export interface Tally {
  readonly count: Count;
  readonly timed: Timed;
  readonly counts: ReadonlyMap<string, number>;
  /** Milliseconds by row. */
  readonly times: ReadonlyMap<string, number>;
}

/** The rows that a pass may count, with a table of operators. */
const declaredRows = analysis((pass: Pass) =>
  analysis((ops: OpTable): ReadonlySet<string> => new Set([...pass.notes, ...rowsWith(pass, ops)])),
);

export function makeTally(pass: Pass, ops: OpTable, now: () => number): Tally {
  const counts = new Map<string, number>();
  const times = new Map<string, number>();
  const add = (sums: Map<string, number>, row: string, by: number): void => {
    if (!declaredRows(pass)(ops).has(row)) {
      throw new InvariantError(`pass ${pass.name} counts only the rows that it declares: ${row}`);
    }
    if (by > 0) sums.set(row, (sums.get(row) ?? 0) + by);
  };
  return {
    counts,
    times,
    count: (row, by = 1) => add(counts, row, by),
    timed: (row, work) => {
      const start = now();
      const made = work();
      add(times, row, now() - start);
      return made;
    },
  };
}
