/**
 * Programs with operators before the types of their arguments are known, aliases of functions,
 * polymorphic values, free sizes and empty axes: a small run of `pnpm fuzz --late`.
 */
import { checkLateTypes, type LateCount } from '@baton/testing';
import { expect, it } from 'vitest';
import { amount } from '../tier.ts';

const SEED = 60_001;
const PROGRAMS = amount(30, { quick: 10 });

it('accepted programs run, come back from their text, and go through every pass', () => {
  const count: LateCount = { programs: 0, late: 0, runs: 0 };
  const problems: string[] = [];
  for (let seed = SEED; seed < SEED + PROGRAMS; seed++) {
    const problem = checkLateTypes(seed, count);
    if (problem !== undefined) problems.push(`seed ${seed}: ${problem}`);
  }
  expect(problems).toEqual([]);
  // If fewer programs were accepted, the run would show nothing.
  expect(count.late / count.programs).toBeGreaterThan(0.8);
});
