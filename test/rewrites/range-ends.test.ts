/**
 * Every shipped rule on numbers at the ends of the range of their type, where constants that a step makes
 * overflow, vanish or lose digits: both sides compute the same, or the engines refuse the step.
 */
import { isLeft, renderDiagnostics } from '@baton/base';
import { numericsColumn, standardOps } from '@baton/ops';
import { type Rule, subpatterns } from '@baton/rewrites';
import type { DType } from '@baton/tensor';
import { SHIPPED_RULES, testRule } from '@baton/testing';
import { describe, expect, it } from 'vitest';
import { amount } from '../tier.ts';
import { specialCases } from './special-cases.ts';

const SEED = 2;

/** The freedoms of rules about sums, products and quotients, of which more instances are tried. */
const FLOATING: ReadonlySet<string> = new Set(['reassoc', 'arcp', 'range']);

/** Whether a rule computes a number, or rounds in another place. */
const isTriedMore = ({ needs, computed }: Rule): boolean =>
  computed.size > 0 || needs.some((word) => FLOATING.has(word));

/** `kept`, or what a rule breaks; a rule that is never used breaks nothing. */
function verdict(rule: Rule, dtype?: DType): string {
  const trial = testRule(rule, {
    count: isTriedMore(rule) ? amount(30, { quick: 1 }) : amount(6, { quick: 1 }),
    attempts: 20,
    seed: SEED,
    isExtreme: true,
    ...(dtype === undefined ? {} : { dtype }),
    ...specialCases(rule),
  });
  if (!isLeft(trial)) return 'kept';
  const isUnused = trial.left.every(({ code }) => code === 'TESTING_RULE_NEVER_FIRED');
  return isUnused ? 'kept' : renderDiagnostics(trial.left);
}

/** Whether the left sides of a rule have a value for integers: no operator in them rounds. */
const takesIntegers = ({ equations, operators }: Rule): boolean =>
  operators.size === 0 &&
  equations
    .flatMap(({ left }) => subpatterns(left))
    .every((p) => p._tag !== 'Call' || standardOps.read(numericsColumn, p.op) !== 'smooth');

describe('both sides compute the same at the ends of ranges', () => {
  it.each(SHIPPED_RULES.map((rule) => [rule.name, rule] as const))('%s', (_, rule) => {
    expect(verdict(rule)).toBe('kept');
  });
});

describe('both sides compute the same on 64-bit integers', () => {
  const rules = SHIPPED_RULES.filter(takesIntegers);
  it.each(rules.map((rule) => [rule.name, rule] as const))('%s', (_, rule) => {
    expect(verdict(rule, 'int64')).toBe('kept');
  });
});
