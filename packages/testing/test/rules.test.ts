/** The trial of a rule: what it makes, counts and refuses. */
import { isLeft } from '@baton/base';
import { orThrow, type Result, rule } from '@baton/rewrites';
import { type RuleTrial, testRule } from '@baton/testing';
import { describe, expect, it } from 'vitest';

/** The first line and the lines below it of the failure of a trial. */
const failureOf = (trial: Result<RuleTrial>): ReadonlyArray<string> => {
  if (!isLeft(trial)) return [];
  const [{ code, message, related = [] }] = trial.left;
  return [code, message, ...related.map((line) => line.message)];
};

describe('the trial of a rule', () => {
  it('counts instances, and refused matches by reason', () => {
    const zero = rule('x + 0', '?x + 0', '?x', { needs: ['nsz'] });
    const trial = orThrow(testRule(zero, { count: 30, seed: 7 }));
    expect(trial.instances).toBe(30);
    // A zero of another shape makes the sum larger than the other operand.
    expect(trial.refused.type).toBeGreaterThan(0);
    expect(trial.programs).toBeGreaterThanOrEqual(30 + trial.refused.type);
  });

  it.each([
    ['a rule both ways', rule('laws', '?x + ?y', '?y + ?x', { orient: 'both' }), 20],
    [
      'several left sides',
      rule(
        'merge products',
        ['nn.dense(?x, ?a, attrs=?d)', 'nn.dense(?x, ?b, attrs=?d)'],
        [
          'split(nn.dense(?x, concatenate((?a, ?b))), indices_or_sections=?n, axis=-1).0',
          'split(nn.dense(?x, concatenate((?a, ?b))), indices_or_sections=?n, axis=-1).1',
        ],
        { let: { n: ({ a }) => [Number(a.dims?.[0])] } },
      ),
      10,
    ],
    ['a kernel with a name', rule('relu', 'maximum(?x, 0)', 'maximum(?x, 0)', { as: 'relu' }), 10],
    ['tuples and fields', rule('pair', '(?t.0, ?t.1)', '?t'), 10],
    ['attributes', rule('cast', 'cast(cast(?x, dtype=?d), dtype=?d)', 'cast(?x, dtype=?d)'), 10],
  ])('makes instances of %s', (_, given, instances) => {
    expect(failureOf(testRule(given, { count: 10, seed: 7 }))).toEqual([]);
    expect(orThrow(testRule(given, { count: 10, seed: 7 })).instances).toBe(instances);
  });

  it('shows the smallest program for a rule that is wrong', () => {
    const wrong = rule('x * 0', '?x * 0', 'zeros_like(?x)');
    const [code, message, ...lines] = failureOf(testRule(wrong, { seed: 7 }));
    expect(code).toBe('TESTING_RULE_DIFFERENT');
    expect(message).toContain('x * 0 (?x * 0 = zeros_like(?x))');
    expect(lines.join('\n').match(/multiply/g)).toHaveLength(1);
  });

  it('says that a rule was not tried', () => {
    const never = rule('never', '?x + 0', '?x', { when: () => false });
    const [code, message] = failureOf(testRule(never, { count: 2, attempts: 5 }));
    expect(code).toBe('TESTING_RULE_NEVER_FIRED');
    expect(message).toContain('used on 0 instances of 2, in 10 programs');
  });

  it('gives the same for the same seed, and passes on the errors of the rule', () => {
    const one = rule('x * 1', '?x * 1', '?x');
    expect(testRule(one, { count: 5, seed: 3 })).toEqual(testRule(one, { count: 5, seed: 3 }));
    expect(failureOf(testRule(rule('r', '?x', '?x')))[0]).toBe('RULE_MATCHES_ALL');
    expect(failureOf(testRule(one, { count: 0 }))[0]).toBe('OPTION_TYPE');
  });
});
