/** The state of a fuzz run, so that the next run goes on from there. */

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isRight } from '@baton/base';
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

/** The state in a file; a fresh state if there is no file, or it has another seed. */
export function readState(path: string, seed: number): FuzzState {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return freshState(seed);
  }
  const decoded = codec.decode(JSON.parse(text));
  return isRight(decoded) && decoded.right.seed === seed ? decoded.right : freshState(seed);
}

/** Writes the state; a crash leaves the old state intact. */
export function writeState(path: string, state: FuzzState): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, JSON.stringify(state));
  renameSync(`${path}.new`, path);
}

const counts = t.readonly(
  t.type({ grid: t.number, shadow: t.number, native: t.number, special: t.number }),
);

const codec = t.type({
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
