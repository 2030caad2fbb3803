/** Mistakes in the memory plan and in compiled code are caught by the comparison with the interpreter. */
import { beforeAll, describe, expect, test } from 'vitest';
import {
  loadMutated,
  type MutatedComparison,
} from '../../packages/workshop/src/code-mutants/bundle.ts';
import { CODE_MUTANTS } from '../../packages/workshop/src/code-mutants/mutants.ts';

let difference: MutatedComparison['difference'];
beforeAll(async () => {
  ({ difference } = await loadMutated());
});

describe('a mutant of compiled code', () => {
  test.each(CODE_MUTANTS.map((mutant, i) => [mutant.name, i, mutant.shownBy] as const))(
    'is caught: %s',
    (name, i, shownBy) => {
      const found = difference(i, shownBy);
      if (found === undefined) throw new Error('nothing noticed');
      process.stdout.write(`${name}: caught after ${found.cases} cases of ${shownBy}\n`);
      // It is the mistake that was noticed, and no other.
      expect(difference(undefined, shownBy, found.cases)).toBeUndefined();
    },
  );

  test('has its own name, and there are at least 80 of them', () => {
    expect(new Set(CODE_MUTANTS.map(({ name }) => name)).size).toBe(CODE_MUTANTS.length);
    expect(CODE_MUTANTS.length).toBeGreaterThanOrEqual(80);
  });
});
