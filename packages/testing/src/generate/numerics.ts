/**
 * What operators do to the bounds and the grid of their arguments' numbers, and on which domain
 * they are finite. The generator keeps programs finite, and exact where that is asked, with these.
 */
import { type Attrs, type Column, defineColumn, type TensorType } from '@baton/ir';
import { isFloat } from '@baton/tensor';
import type { Facts, Value } from './value.ts';

/** A call, as far as its numbers are concerned. */
export interface NumericSite {
  readonly args: ReadonlyArray<Value>;
  readonly attrs: Attrs;
  readonly result: TensorType;
  /** Elements of the first argument for each one of the result: what a sum adds up. */
  readonly ratio: number;
  /** Multiplications for each element of the result. */
  readonly products: number;
}

/** What is known of the numbers of one operator. */
export interface Numerics {
  /** Whether dyadic arguments give a dyadic result, whatever the order of evaluation. */
  readonly exact: boolean;
  /** Whether small changes of the arguments make small changes of the result. */
  readonly smooth: boolean;
  /** For each argument, the interval on which the operator is finite and moderate. */
  readonly domain?: ReadonlyArray<Interval | undefined>;
  /** The facts of the result. Without it: those of the arguments, and 0. */
  readonly facts?: (facts: ReadonlyArray<Facts>, site: NumericSite) => Facts;
}

/** From the first to the second, both included. */
export type Interval = readonly [lo: number, hi: number];

/** The numerics of operators, for tables that bring their own. */
export const numericsColumn: Column<Numerics> = defineColumn('numerics');

/** Facts of numbers between two bounds. */
export const between = (
  lo: number,
  hi: number,
  fraction: number = Number.POSITIVE_INFINITY,
): Facts => ({
  lo,
  hi,
  fraction,
});

/** The facts that hold of each of several values. */
export const hull = (all: ReadonlyArray<Facts>): Facts =>
  all.reduce((a, b) => ({
    lo: Math.min(a.lo, b.lo),
    hi: Math.max(a.hi, b.hi),
    fraction: Math.max(a.fraction, b.fraction),
  }));

const ZERO: Facts = between(0, 0, 0);

/** The facts of a result that consists of what the arguments of its dtype hold, and zeros. */
export function mixed(facts: ReadonlyArray<Facts>, site: NumericSite): Facts {
  const { dtype } = site.result;
  const same = facts.filter((_, i) => {
    const arg = site.args[i];
    if (arg?._tag === 'Tensor') return arg.dtype === dtype;
    return arg?.fields.some((field) => field.type.dtype === dtype) ?? false;
  });
  return hull([ZERO, ...same]);
}

const max = (f: Facts): number => Math.max(Math.abs(f.lo), Math.abs(f.hi));

const first = (facts: ReadonlyArray<Facts>): Facts => facts[0] ?? ZERO;
const second = (facts: ReadonlyArray<Facts>): Facts => facts[1] ?? ZERO;

/** A function that grows with its argument. */
const rising =
  (f: (x: number) => number) =>
  (facts: ReadonlyArray<Facts>): Facts =>
    between(f(first(facts).lo), f(first(facts).hi));

const within = (lo: number, hi: number, fraction?: number) => (): Facts =>
  between(lo, hi, fraction);

const symmetric = (bound: number, fraction = Number.POSITIVE_INFINITY): Facts =>
  between(-bound, bound, fraction);

const corners = (
  a: Facts,
  b: Facts,
  f: (x: number, y: number) => number,
  fraction: number,
): Facts => {
  const values = [f(a.lo, b.lo), f(a.lo, b.hi), f(a.hi, b.lo), f(a.hi, b.hi)];
  return between(Math.min(...values), Math.max(...values), fraction);
};

const whole = (facts: ReadonlyArray<Facts>): Facts => {
  const { lo, hi } = first(facts);
  return between(Math.floor(lo), Math.ceil(hi), 0);
};

/** Sums of products of an argument and a weight. */
const productSum: Numerics = {
  exact: true,
  smooth: true,
  facts: (facts, { products }) => {
    const [x, w] = [first(facts), second(facts)];
    return symmetric(max(x) * max(w) * Math.max(products, 1), x.fraction + w.fraction);
  },
};

const moving: Numerics = { exact: true, smooth: true };
const selecting: Numerics = { exact: true, smooth: false };
/** Results that are indices, counts or truth values. */
const discrete: Numerics = {
  exact: true,
  smooth: false,
  facts: (_facts, { result }) => (result.dtype === 'bool' ? between(0, 1, 0) : between(0, 64, 0)),
};
const integral: Numerics = {
  exact: true,
  smooth: false,
  facts: (facts) => symmetric(2 * Math.max(...facts.map(max), 4), 0),
};

const smoothly = (
  facts: NonNullable<Numerics['facts']>,
  domain?: Interval | undefined,
): Numerics => ({
  exact: false,
  smooth: true,
  facts,
  ...(domain === undefined ? {} : { domain: [domain] }),
});

/** From just above 0. */
const POSITIVE: Interval = [0.125, 1024];

const remainder: Numerics = {
  exact: true,
  smooth: false,
  facts: (facts) =>
    symmetric(
      Math.max(max(second(facts)), 1),
      Math.max(first(facts).fraction, second(facts).fraction),
    ),
};

const quotient: Numerics = {
  exact: false,
  smooth: true,
  facts: (facts, { result }) => {
    const dtype = result.dtype;
    const nonzero = Math.min(Math.abs(second(facts).lo), Math.abs(second(facts).hi)) || 1;
    const isWhole = typeof dtype === 'string' && !isFloat(dtype as 'int32');
    return symmetric(max(first(facts)) / nonzero, isWhole ? 0 : Number.POSITIVE_INFINITY);
  },
};

const normalizing: Numerics = smoothly((facts, { ratio }) => {
  const scale = Math.max(1, ...facts.slice(1).map(max));
  return symmetric(scale * (4 + Math.sqrt(ratio)));
});

/** The binary digits of a bound behind the point. */
const digits = (x: number): number => [0, 1, 2, 3].find((k) => Number.isInteger(x * 2 ** k)) ?? 12;

const isDyadicMean = (count: number): boolean => Number.isInteger(Math.log2(count));

const named = (names: string, numerics: Numerics): ReadonlyArray<[string, Numerics]> =>
  names.split(' ').map((name) => [name, numerics]);

/** What is known of the standard operators. */
export const standardNumerics: ReadonlyMap<string, Numerics> = new Map([
  ...named(
    'annotation.stop_fusion batch_flatten broadcast_to broadcast_to_like concatenate copy ' +
      'expand_dims gather gather_nd invert_permutation layout_transform meshgrid nn.batch_flatten ' +
      'nn.batch_to_space_nd nn.depth_to_space nn.dropout nn.mirror_pad nn.pad nn.space_to_batch_nd ' +
      'nn.space_to_depth repeat reshape reshape_like reverse reverse_sequence sequence_mask ' +
      'slice_like split squeeze stack strided_set strided_slice take test.effect tile transpose ' +
      'trilu where matrix_set_diag nn.dilate full full_like max min maximum minimum ' +
      'nn.max_pool1d nn.max_pool2d nn.max_pool3d nn.global_max_pool2d ' +
      'nn.adaptive_max_pool1d nn.adaptive_max_pool2d nn.adaptive_max_pool3d nn.relu sort',
    moving,
  ),
  ...named('topk cast cast_like', selecting),
  ...named(
    'equal not_equal less less_equal greater greater_equal logical_and logical_or logical_xor ' +
      'logical_not isnan isinf isfinite all any argmax argmin argsort argwhere searchsorted ' +
      'unravel_index shape_of ndarray_size one_hot',
    discrete,
  ),
  ...named(
    'bitwise_and bitwise_or bitwise_xor bitwise_not left_shift right_shift fixed_point_multiply',
    integral,
  ),
  ...named('floor ceil round trunc', { exact: true, smooth: false, facts: whole }),
  ...named('sign', { exact: true, smooth: false, facts: within(-1, 1, 0) }),
  ...named('zeros zeros_like', { exact: true, smooth: true, facts: within(0, 0, 0) }),
  ...named('ones ones_like', { exact: true, smooth: true, facts: within(1, 1, 0) }),
  ...named('arange', { exact: true, smooth: true, facts: within(-32, 32, 3) }),
  ...named('abs', {
    exact: true,
    smooth: true,
    facts: (facts) => {
      const x = first(facts);
      const least = x.lo <= 0 && x.hi >= 0 ? 0 : Math.min(Math.abs(x.lo), Math.abs(x.hi));
      return between(least, max(x), x.fraction);
    },
  }),
  ...named('negative', {
    exact: true,
    smooth: true,
    facts: (facts) => between(-first(facts).hi, -first(facts).lo, first(facts).fraction),
  }),
  ...named('clip', {
    exact: true,
    smooth: true,
    facts: (facts, { attrs }) => {
      const [lo, hi] = [Number(attrs.a_min), Number(attrs.a_max)];
      const into = (x: number): number => Math.min(Math.max(x, lo), hi);
      return between(
        into(first(facts).lo),
        into(first(facts).hi),
        Math.max(first(facts).fraction, digits(lo), digits(hi)),
      );
    },
  }),
  ...named('nn.leaky_relu nn.prelu', {
    exact: true,
    smooth: true,
    facts: (facts) =>
      symmetric(max(first(facts)) * Math.max(1, max(second(facts))), first(facts).fraction + 6),
  }),
  ...named('add nn.bias_add', {
    exact: true,
    smooth: true,
    facts: ([a = ZERO, b = ZERO]) =>
      between(a.lo + b.lo, a.hi + b.hi, Math.max(a.fraction, b.fraction)),
  }),
  ...named('subtract', {
    exact: true,
    smooth: true,
    facts: ([a = ZERO, b = ZERO]) =>
      between(a.lo - b.hi, a.hi - b.lo, Math.max(a.fraction, b.fraction)),
  }),
  ...named('multiply', {
    exact: true,
    smooth: true,
    facts: ([a = ZERO, b = ZERO]) => corners(a, b, (x, y) => x * y, a.fraction + b.fraction),
  }),
  ...named('divide', quotient),
  ...named('floor_divide trunc_divide', { ...quotient, smooth: false }),
  ...named('mod trunc_mod floor_mod', remainder),
  ...named('power', { exact: false, smooth: true, facts: within(0, 256) }),
  ...named('exp fast_exp', smoothly(rising(Math.exp), [-32, 5])),
  ...named('log', smoothly(rising(Math.log), POSITIVE)),
  ...named('log2', smoothly(rising(Math.log2), POSITIVE)),
  ...named('log10', smoothly(rising(Math.log10), POSITIVE)),
  ...named('sqrt', smoothly(rising(Math.sqrt), [0, 65536])),
  ...named(
    'rsqrt',
    smoothly((facts) => between(0, 1 / Math.sqrt(Math.max(first(facts).lo, 0.01))), [0.125, 65536]),
  ),
  ...named('sin cos', smoothly(within(-1, 1), [-64, 64])),
  ...named('tan', smoothly(rising(Math.tan), [-1.25, 1.25])),
  ...named('sinh', smoothly(rising(Math.sinh), [-5, 5])),
  ...named(
    'cosh',
    smoothly((facts) => between(1, Math.cosh(max(first(facts)))), [-5, 5]),
  ),
  ...named('tanh fast_tanh erf fast_erf', smoothly(within(-1, 1))),
  ...named('sigmoid', smoothly(within(0, 1))),
  ...named('asin', smoothly(rising(Math.asin), [-0.875, 0.875])),
  ...named(
    'acos',
    smoothly(([x = ZERO]) => between(Math.acos(x.hi), Math.acos(x.lo)), [-0.875, 0.875]),
  ),
  ...named('atan', smoothly(rising(Math.atan))),
  ...named('asinh', smoothly(rising(Math.asinh))),
  ...named('acosh', smoothly(rising(Math.acosh), [1.125, 1024])),
  ...named('atanh', smoothly(rising(Math.atanh), [-0.875, 0.875])),
  ...named('sum cumsum collapse_sum_like collapse_sum_to', {
    exact: true,
    smooth: true,
    facts: (facts, { ratio, result }) => {
      const terms = ratio > 1 ? ratio : Math.max(1, ...lastDims(result));
      return symmetric(max(first(facts)) * terms, first(facts).fraction);
    },
  }),
  ...named('prod cumprod', {
    exact: false,
    smooth: true,
    domain: [[-1, 1]],
    facts: within(-1, 1),
  }),
  ...named('mean', {
    exact: false,
    smooth: true,
    facts: (facts, { ratio }) => ({
      ...hull([ZERO, first(facts)]),
      fraction: isDyadicMean(ratio) ? first(facts).fraction + Math.log2(ratio) : Infinity,
    }),
  }),
  ...named('variance', {
    exact: false,
    smooth: true,
    facts: (facts) => between(0, 2 * (max(first(facts)) + max(second(facts))) ** 2),
  }),
  ...named(
    'nn.avg_pool1d nn.avg_pool2d nn.avg_pool3d nn.global_avg_pool2d nn.adaptive_avg_pool1d ' +
      'nn.adaptive_avg_pool2d nn.adaptive_avg_pool3d nn.upsampling image.resize1d image.resize2d ' +
      'image.resize3d image.grid_sample image.affine_grid',
    smoothly((facts) => symmetric(2 * Math.max(...facts.map(max), 1))),
  ),
  ...named(
    'nn.conv1d nn.conv2d nn.conv3d nn.conv1d_transpose nn.conv2d_transpose nn.conv3d_transpose ' +
      'nn.dense nn.matmul nn.batch_matmul',
    productSum,
  ),
  ...named('einsum', {
    exact: true,
    smooth: true,
    facts: (facts) => symmetric(max(first(facts)) ** 2 * 64, 2 * first(facts).fraction),
  }),
  ...named('scatter_elements scatter_nd', {
    exact: true,
    smooth: true,
    facts: (facts) =>
      symmetric(
        4 * Math.max(max(first(facts)), max(facts[2] ?? ZERO)) ** 2,
        Math.max(first(facts).fraction, facts[2]?.fraction ?? 0),
      ),
  }),
  ...named('nn.softmax nn.fast_softmax', smoothly(within(0, 1))),
  ...named(
    'nn.log_softmax',
    smoothly((facts) => between(-2 * max(first(facts)) - 8, 0)),
  ),
  ...named('nn.batch_norm', {
    ...smoothly(([x = ZERO, g = ZERO, b = ZERO, m = ZERO]) =>
      symmetric((max(x) + max(m)) * max(g) * 4 + max(b)),
    ),
    domain: [undefined, undefined, undefined, undefined, [0.0625, 256]],
  }),
  ...named('nn.layer_norm nn.instance_norm nn.group_norm nn.l2_normalize', normalizing),
  ...named(
    'nn.lrn',
    smoothly((facts) => symmetric(max(first(facts)))),
  ),
  ...named('nn.cross_entropy', {
    ...smoothly(within(-512, 512)),
    domain: [[0.125, 1024]],
  }),
  ...named('nn.cross_entropy_with_logits nn.nll_loss', {
    ...smoothly((facts) => symmetric(16 * Math.max(...facts.map(max), 1) ** 2)),
    domain: [
      [-16, 16],
      [-16, 16],
    ],
  }),
  ...named('reinterpret', { exact: false, smooth: false, facts: within(-1e30, 1e30) }),
]);

const lastDims = (type: TensorType): ReadonlyArray<number> =>
  '_tag' in type.shape ? [] : type.shape.filter((dim) => typeof dim === 'number');
