/** Every shipped rule on random instances of its left side, alone in each engine. */
import { isLeft, renderDiagnostics } from '@baton/base';
import type { Result } from '@baton/rewrites';
import { NORMAL_SEED, type RuleTrial, SHIPPED_RULES, testRule } from '@baton/testing';
import { describe, expect, it } from 'vitest';
import { amount } from '../tier.ts';
import { specialCases } from './special-cases.ts';

/** The instances of each direction of a rule. */
const COUNT = amount(50, { quick: 3 });

/** `kept`, or what the rule breaks. */
const verdict = (trial: Result<RuleTrial>): string =>
  isLeft(trial) ? renderDiagnostics(trial.left) : 'kept';

describe('both sides compute the same', () => {
  it.each(SHIPPED_RULES.map((shipped) => [shipped.name, shipped] as const))('%s', (_, shipped) => {
    const options = { seed: NORMAL_SEED, count: COUNT, ...specialCases(shipped) };
    expect(verdict(testRule(shipped, options))).toBe('kept');
  });
});
