/** The normal fuzz run of one group of programs, as a test. Groups are files: they run in parallel. */
import {
  emptyTally,
  type Failure,
  GROUPS,
  NORMAL_SEED,
  passesOf,
  printTally,
  reduceFailure,
  runGroup,
  shortfalls,
  writeFailure,
} from '@baton/testing';
import { beforeAll, expect, test } from 'vitest';
import { amount, isThorough } from '../tier.ts';

/** The share of a group's programs in `pnpm test`. */
const QUICK_SHARE = 0.025;

/** The time limit of a group, which normally takes about a minute. */
const TIME_LIMIT_MS = 600_000;

/** A part of the programs of a group, which are many: the first of two is 0. */
export interface Part {
  readonly part: number;
  readonly of: number;
}

/**
 * Runs the passes of a group on its programs, or on a part of them, and a random sequence of passes
 * on each.
 */
export function normalRun(name: string, { part, of }: Part = { part: 0, of: 1 }): void {
  const group = GROUPS.find((g) => g.name === name);
  if (group === undefined) throw new Error(`there is no group ${name}`);
  const enrolled = passesOf(group);
  const all = Math.ceil(group.programs / of);
  const from = part * all;
  const count = amount(all, { quick: Math.ceil(QUICK_SHARE * all) });
  let result = { tally: emptyTally, failures: [] as ReadonlyArray<Failure> };
  beforeAll(() => {
    result = runGroup(group, enrolled, emptyTally, {
      seed: NORMAL_SEED,
      from,
      count,
      withSequences: true,
    });
  }, TIME_LIMIT_MS);
  test(`no pass breaks a property on the programs ${from} to ${from + count - 1} of the group ${name}`, () => {
    const [first] = result.failures;
    const shown = first === undefined ? '' : writeFailure(reduceFailure(first).failure);
    expect(result.failures.length, shown).toBe(0);
  });
  // A tenth of the programs leaves some rows without a case.
  if (!isThorough) return;
  test('every pass was put to work, and every counter of it', () => {
    process.stdout.write(`${printTally(result.tally, enrolled)}\n`);
    // On programs of the full language a pass may find nothing to do.
    const owned = enrolled.filter((e) => e.group === name);
    expect(shortfalls(result.tally, owned)).toEqual([]);
  });
}
