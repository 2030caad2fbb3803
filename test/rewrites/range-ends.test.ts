/**
 * Every shipped rule on numbers at the ends of the range of their type, where constants that a step makes
 * overflow, vanish or lose digits: both sides compute the same, or the engines refuse the step.
 */
import { isLeft, renderDiagnostics } from '@baton/base';
import type { Rule } from '@baton/rewrites';
import { SHIPPED_RULES, testRule } from '@baton/testing';
import { describe, expect, it } from 'vitest';
import { specialCases } from './special-cases.ts';

const SEED = 2;

/** The freedoms of rules about sums, products and quotients, of which more instances are tried. */
const FLOATING: ReadonlySet<string> = new Set(['reassoc', 'arcp', 'range']);

/** `kept`, or what a rule breaks; a rule that is never used breaks nothing. */
function verdict(rule: Rule): string {
  const trial = testRule(rule, {
    count: rule.needs.some((word) => FLOATING.has(word)) ? 30 : 6,
    attempts: 20,
    seed: SEED,
    isExtreme: true,
    ...specialCases(rule),
  });
  if (!isLeft(trial)) return 'kept';
  const isUnused = trial.left.every(({ code }) => code === 'TESTING_RULE_NEVER_FIRED');
  return isUnused ? 'kept' : renderDiagnostics(trial.left);
}

describe('both sides compute the same at the ends of ranges', () => {
  it.each(SHIPPED_RULES.map((rule) => [rule.name, rule] as const))('%s', (_, rule) => {
    expect(verdict(rule)).toBe('kept');
  });
});
