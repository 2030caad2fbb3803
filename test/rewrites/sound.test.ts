/** Every shipped rule on random instances of its left side, alone in each engine. */
import { isLeft, renderDiagnostics } from '@baton/base';
import type { Result, Rule } from '@baton/rewrites';
import {
  NORMAL_SEED,
  type RuleTrial,
  type RuleTrialOptions,
  SHIPPED_RULES,
  testRule,
} from '@baton/testing';
import { describe, expect, it } from 'vitest';

/** `kept`, or what the rule breaks. */
const verdict = (trial: Result<RuleTrial>): string =>
  isLeft(trial) ? renderDiagnostics(trial.left) : 'kept';

const PAD = 'pad_width=[[0, 0], [0, 0], [1, 1], [0, 1]]';

/** Special cases of left sides: the conditions of these rules hold for few others. */
const LIKE: ReadonlyMap<string, ReadonlyArray<string>> = new Map([
  ['clip of nothing', ['clip(clip(?x, a_min=-1.0, a_max=1.0), a_min=-1.0, a_max=2.0)']],
  ['relu of nothing', ['nn.relu(nn.relu(?x))']],
  [
    'quadratic form',
    ['?x * ?x + 3 * ?x * ?y + ?y * ?y * 2', '2 * ?y * ?y + ?x * (?x + ?x) + 5 * ?x * ?y'],
  ],
  [
    'pad of a convolution',
    [`nn.conv2d(nn.pad(?x, 0, ${PAD}), ?w, padding=?q, data_layout="NCHW", attrs=?a)`],
  ],
  [
    'pad of a maximum',
    [
      `nn.max_pool2d(nn.pad(?x, -3.4028234663852886e38, ${PAD}), padding=?q, layout="NCHW", ceil_mode=False, attrs=?a)`,
    ],
  ],
  [
    'pad of a mean',
    [
      `nn.avg_pool2d(nn.pad(?x, 0, ${PAD}), layout="NCHW", ceil_mode=False, count_include_pad=True, attrs=?a)`,
    ],
  ],
  [
    'mean that now counts padding',
    [
      `nn.avg_pool2d(nn.pad(?x, 0, ${PAD}), layout="NCHW", padding=[0, 0, 0, 0], ceil_mode=False, count_include_pad=False, attrs=?a)`,
    ],
  ],
]);

const specialCases = ({ name }: Rule): RuleTrialOptions => {
  const like = LIKE.get(name);
  return like === undefined ? {} : { like };
};

describe('both sides compute the same', () => {
  it.each(SHIPPED_RULES.map((shipped) => [shipped.name, shipped] as const))('%s', (_, shipped) => {
    expect(verdict(testRule(shipped, { seed: NORMAL_SEED, ...specialCases(shipped) }))).toBe(
      'kept',
    );
  });
});
