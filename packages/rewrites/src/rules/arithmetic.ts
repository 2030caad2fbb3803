/** Sums, products and roots: [passes §7](https://batonjs.github.io/baton/spec/passes#7). */
import { broadcastShapes, shapeSize, type Tensor } from '@baton/tensor';
import type { MatchedValue } from '../rule/matched-value.ts';
import { ownRule as rule, ruleSet } from '../rule/rule.ts';
import { axesAfter } from './axes.ts';
import { isSized } from './facts.ts';
import { DETOUR, LAW } from './law.ts';

interface Constants {
  readonly c: MatchedValue;
  readonly d: MatchedValue;
}

/** Whether two constants make one that is not larger than both: the engines compute it at once. */
const merge = ({ c, d }: Constants): boolean =>
  c.constant !== undefined && d.constant !== undefined && stayTogether(c.constant, d.constant);

function stayTogether(c: Tensor, d: Tensor): boolean {
  const shape = broadcastShapes(c.shape, d.shape);
  return (
    shape !== undefined && shapeSize(shape) <= Math.max(shapeSize(c.shape), shapeSize(d.shape))
  );
}

/**
 * Constants that meet become one. A sum whose inner part others use stays: that may be the bias of a
 * product, and would be one no more if the product had two users.
 */
const MERGES = { profitable: merge, needs: LAW } as const;

/** A constant bias is a constant of a sum, laid along its axis. */
const BIAS = { ...MERGES, let: { n: axesAfter } } as const;

/** A scaled value overflows no earlier than the scaled sum if the scale makes nothing larger. */
const SPREAD = {
  needs: DETOUR,
  within: ({ d }: Constants) => isSized(d, 0, 1),
  orient: 'canonical',
} as const;

/** Whether two scales both shrink or both grow: the scaled value then stays between its ends. */
const areSizedAlike = (c: MatchedValue, d: MatchedValue): boolean =>
  (isSized(c, 0, 1) && isSized(d, 0, 1)) || (isSized(c, 1, Infinity) && isSized(d, 1, Infinity));

/** Numbers that change nothing, one of each sign of zero exactly. */
const NEUTRAL = [
  // x + 0 = x - 0 = x * 1 = x / 1 = x
  rule('x + 0', '?x + 0', '?x', { needs: ['nsz'] }),
  rule('x + -0', '?x + -0.0', '?x'),
  rule('x - 0', '?x - 0', '?x'),
  rule('x - -0', '?x - -0.0', '?x', { needs: ['nsz'] }),
  rule('x * 1', '?x * 1', '?x'),
  rule('x / 1', '?x / 1', '?x'),
];

/** Numbers that change nothing: a part of {@link arithmetic}. */
export const neutral = ruleSet('neutral', ...NEUTRAL);

/** Rules that shorten sums and products. */
export const arithmetic = ruleSet(
  'arithmetic',

  ...NEUTRAL,

  // x + x = x * 2: a scale, which merges with others.
  rule('x + x', '?x + ?x', '?x * 2', { orient: 'canonical' }),

  // (x + c) + d = x + (c + d), with a bias as a sum
  rule('(x + c) + c', '(?x + ?c) + ?d', '?x + (?c + ?d)', MERGES),
  rule(
    'bias + c',
    'nn.bias_add(?x, ?c, axis=?a) + ?d',
    '?x + (expand_dims(?c, axis=1, num_newaxis=?n) + ?d)',
    BIAS,
  ),
  rule(
    'bias of x + c',
    'nn.bias_add(?x + ?d, ?c, axis=?a)',
    '?x + (?d + expand_dims(?c, axis=1, num_newaxis=?n))',
    // The sum may have more axes than x.
    { ...MERGES, let: { n: ({ a, result }) => axesAfter({ a, x: result }) } },
  ),
  rule(
    'bias of bias',
    'nn.bias_add(nn.bias_add(?x, ?d, axis=?a), ?c, axis=?a)',
    'nn.bias_add(?x, ?d + ?c, axis=?a)',
    MERGES,
  ),

  // (x * c) * d = x * (c * d)
  rule('(x * c) * c', '(?x * ?c) * ?d', '?x * (?c * ?d)', {
    ...MERGES,
    needs: DETOUR,
    within: ({ c, d }: Constants) => areSizedAlike(c, d),
  }),

  // (x + c) * d = x * d + c * d: a scaled value meets other scales, and FoldScaleAxis.
  rule('(x + c) * c', '(?x + ?c) * ?d', '?x * ?d + ?c * ?d', { ...MERGES, ...SPREAD }),
  rule(
    'bias * c',
    'nn.bias_add(?x, ?c, axis=?a) * ?d',
    '?x * ?d + expand_dims(?c, axis=1, num_newaxis=?n) * ?d',
    { ...BIAS, ...SPREAD },
  ),

  // n / sqrt(x) = n * rsqrt(x)
  rule('n / sqrt(x)', '?n / sqrt(?x)', '?n * rsqrt(?x)', { needs: ['arcp'], orient: 'canonical' }),
);
