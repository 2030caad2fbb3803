/** Activations that exporters spell out: where Relay has an operator, that; else a kernel. */
import { ownRule as rule, ruleSet } from '../rule/rule.ts';
import { numberOf } from './facts.ts';
import { idiom } from './idiom.ts';
import { DETOUR, LAW } from './law.ts';
import { reciprocals } from './reciprocals.ts';

/** The laws, for formulas with other functions. */
const FORMULA = [...LAW, 'arcp', 'afn'] as const;

/** One spelling of scales and powers, which the rules of idioms expect. */
export const spellings = ruleSet(
  'spellings',
  reciprocals,
  // A number comes last.
  rule('(x * n) * y', '(?x * ?n) * ?y', '(?x * ?y) * ?n', {
    profitable: ({ n, y }) => numberOf(n) !== undefined && y.constant === undefined,
    needs: DETOUR,
    orient: 'canonical',
  }),
  rule('x^2', 'power(?x, 2)', '?x * ?x', { needs: ['afn'], orient: 'canonical' }),
  rule('x^3', 'power(?x, 3)', '?x * ?x * ?x', { needs: ['afn'], orient: 'both' }),
  rule('x^(1/2)', 'power(?x, 0.5)', 'sqrt(?x)', { needs: FORMULA, orient: 'canonical' }),
  rule('x^(-1/2)', 'power(?x, -0.5)', 'rsqrt(?x)', { needs: FORMULA, orient: 'canonical' }),
);

/** Activations that are operators. */
export const activations = ruleSet(
  'activations',
  rule('sigmoid', '?y / (exp(negative(?x)) + 1)', '?y * sigmoid(?x)', { needs: FORMULA }),
  // (1 + tanh u) / 2 is the sigmoid of 2 u.
  rule('tanh as sigmoid', '?x * (tanh(?u) + 1) * 0.5', '?x * sigmoid(?u * 2)', { needs: FORMULA }),
  rule('relu', 'maximum(?x, 0)', 'nn.relu(?x)', { needs: ['nsz', 'nnan'], orient: 'canonical' }),
  rule('relu below n', 'minimum(nn.relu(?x), ?n)', 'clip(?x, a_min=0.0, a_max=?h)', {
    let: { h: ({ n }) => notNegative(numberOf(n)) },
    needs: ['nsz', 'nnan'],
  }),
  rule('clip of relu', 'clip(nn.relu(?x), a_min=?l, a_max=?h)', 'clip(?x, a_min=?m, a_max=?h)', {
    let: { m: ({ l, h }) => (Number(l) <= Number(h) ? Math.max(Number(l), 0) : undefined) },
    needs: ['nsz', 'nnan'],
  }),
  rule('relu of clip', 'nn.relu(clip(?x, a_min=?l, a_max=?h))', 'clip(?x, a_min=?m, a_max=?h)', {
    let: { m: ({ l }) => Math.max(Number(l), 0) },
    when: ({ l, h }) => Number(h) >= Math.max(Number(l), 0),
    needs: ['nsz', 'nnan'],
  }),
  rule('leaky relu', 'where(?x > 0, ?x, ?x * ?n)', 'nn.leaky_relu(?x, alpha=?a)', {
    let: { a: ({ n }) => numberOf(n) },
    needs: ['nsz', 'nnan'],
  }),
  rule('leaky relu as maximum', 'maximum(?x, ?x * ?n)', 'nn.leaky_relu(?x, alpha=?a)', {
    let: { a: ({ n }) => within(numberOf(n), 0, 1) },
    needs: ['nsz', 'nnan'],
  }),
);

const HARD_SIGMOID = 'clip(?x + 3, a_min=0.0, a_max=6.0) * 0.16666666666666666';

/**
 * Activations for which Relay has no operator, as kernels. GELU: Hendrycks, Gimpel, 2016; SiLU:
 * Elfwing et al., 2017; Mish: Misra, 2019; hard swish: Howard et al., 2019.
 */
export const activationKernels = ruleSet(
  'activation kernels',
  // Where a product may not change its order, in float16, each order has a rule.
  idiom('gelu', '?x * (erf(?x * 0.7071067811865476) + 1) * 0.5'),
  idiom('gelu', '?x * ((erf(?x * 0.7071067811865476) + 1) * 0.5)', { rule: 'gelu of halves' }),
  idiom('gelu', '?x * 0.5 * (erf(?x * 0.7071067811865476) + 1)', { rule: 'gelu of half of x' }),
  idiom('gelu_tanh', '?x * sigmoid((?x * ?x * ?x * 0.044715 + ?x) * 1.5957691216057308)'),
  idiom('quick_gelu', '?x * sigmoid(?x * 1.702)'),
  idiom('silu', '?x * sigmoid(?x)'),
  idiom('softplus', 'log(exp(?x) + 1)'),
  idiom('mish', '?x * tanh(log(exp(?x) + 1))'),
  idiom('hard_sigmoid', HARD_SIGMOID),
  idiom('hard_swish', `?x * ${HARD_SIGMOID}`),
);

const notNegative = (n: number | undefined): number | undefined => within(n, 0, Infinity);

const within = (n: number | undefined, low: number, high: number): number | undefined =>
  n !== undefined && n >= low && n <= high ? n : undefined;
