/**
 * Programs with operators before the types of their arguments are known, aliases of functions,
 * polymorphic values, free sizes and empty axes: a small run of `pnpm fuzz --late`.
 */
import { checkLateTypes, type LateCount } from '@baton/testing';
import { expect, it } from 'vitest';

const SEED = 60_001;
const PROGRAMS = 30;

it('what inference accepts runs, comes back from its text, and goes through every pass', () => {
  const count: LateCount = { programs: 0, late: 0, runs: 0 };
  const problems: string[] = [];
  for (let seed = SEED; seed < SEED + PROGRAMS; seed++) {
    const problem = checkLateTypes(seed, count);
    if (problem !== undefined) problems.push(`seed ${seed}: ${problem}`);
  }
  expect(problems).toEqual([]);
  // Most programs are accepted with less said: otherwise the run says nothing.
  expect(count.late / count.programs).toBeGreaterThan(0.8);
});
