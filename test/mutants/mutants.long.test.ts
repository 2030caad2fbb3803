/** Passes broken on purpose are caught by the fuzz run, each on a program of a few calls. */
import { interpreter, oracle } from '@baton/executor';
import { hunt, MAX_REDUCED_CALLS, MUTANTS } from '@baton/testing';
import { describe, expect, test } from 'vitest';

describe.each([interpreter, oracle])('a mutant is caught on the $name', (executor) => {
  test.each(MUTANTS.map((m) => [m.name, m] as const))('%s', (name, mutant) => {
    const found = hunt(mutant, executor);
    if (found === undefined) throw new Error('nothing noticed');
    process.stdout.write(
      `${name} on the ${executor.name}: caught by ${found.pass}, ${found.property}, ` +
        `program ${found.programs}, ${found.calls} operator calls left\n`,
    );
    expect(found.calls, found.text).toBeLessThanOrEqual(MAX_REDUCED_CALLS);
  });
});

test('mutants have names of their own', () => {
  expect(new Set(MUTANTS.map((m) => m.name)).size).toBe(MUTANTS.length);
});
