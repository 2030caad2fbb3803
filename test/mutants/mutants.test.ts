/** Passes broken on purpose are caught by the fuzz run, each on a program of a few calls. */
import { catchMutant, MAX_REDUCED_CALLS, MUTANTS, occurrences } from '@baton/bench/fuzz';
import { describe, expect, test } from 'vitest';

describe('a mutant is caught', () => {
  test.each(MUTANTS.map((m) => [m.name, m] as const))('%s', async (name, mutant) => {
    expect(occurrences(mutant), 'the fragment stands in its file once').toBe(1);
    const found = await catchMutant(mutant);
    if (found === undefined) throw new Error('nothing noticed');
    process.stdout.write(
      `${name}: caught by ${found.pass}, ${found.property}, ` +
        `program ${found.programs}, ${found.calls} operator calls left\n`,
    );
    expect(found.calls, found.text).toBeLessThanOrEqual(MAX_REDUCED_CALLS);
  });
});

test('mutants have names of their own', () => {
  expect(new Set(MUTANTS.map((m) => m.name)).size).toBe(MUTANTS.length);
});
