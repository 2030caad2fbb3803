/** The state of a fuzz run, which the next run resumes. */
import { emptyTally, type Tally } from '@baton/testing';
import * as t from 'io-ts';

export interface FuzzState {
  readonly seed: number;
  readonly programs: number;
  readonly cases: number;
  readonly failures: number;
  readonly tally: Tally;
}

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
