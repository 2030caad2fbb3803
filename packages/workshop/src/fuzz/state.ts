/** The state of a fuzz run, which the next run resumes. */
import { emptyTally, type Tally } from '@baton/testing';
import * as t from 'io-ts';

/** The progress of a run. */
export interface FuzzState {
  readonly seed: number;
  /** Finished programs of each group. */
  readonly programs: number;
  /** Finished cases of each other target. */
  readonly cases: number;
  readonly failures: number;
  readonly tally: Tally;
}

/** The state at the start. */
export const freshState = (seed: number): FuzzState => ({
  seed,
  programs: 0,
  cases: 0,
  failures: 0,
  tally: emptyTally,
});

const counts = t.readonly(
  t.type({ grid: t.number, shadow: t.number, native: t.number, special: t.number }),
);

/** The format of the file of a state. */
export const stateCodec = t.type({
  seed: t.number,
  programs: t.number,
  cases: t.number,
  failures: t.number,
  tally: t.type({
    passes: t.record(
      t.string,
      t.type({
        programs: t.number,
        changed: t.number,
        runs: t.number,
        regimes: counts,
        unknown: t.number,
      }),
    ),
    rows: t.record(t.string, t.record(t.string, t.number)),
  }),
});
