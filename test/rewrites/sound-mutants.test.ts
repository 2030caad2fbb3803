/** Shipped rules without one of their guards are caught, each on a program of a few calls. */
import { isLeft } from '@baton/base';
import { ruleMutants, testRule } from '@baton/testing';
import { describe, expect, it } from 'vitest';

/** The seed with which the mutants are looked for. */
const SEED = 20261123;

/** Instances until a mutant counts as not caught. */
const MOST = 400;

describe('a rule without a guard is caught', () => {
  it.each(ruleMutants().map((mutant) => [mutant.name, mutant.rule] as const))('%s', (_, rule) => {
    const trial = testRule(rule, { count: MOST, seed: SEED });
    expect(isLeft(trial) ? trial.left[0].code : 'survived').toBe('TESTING_RULE_DIFFERENT');
  });
});
