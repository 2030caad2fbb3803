/**
 * What operators do to the bounds and the grid of their arguments' numbers, and on which domain
 * they are finite. The generator keeps programs finite, and exact where that is asked, with these.
 */
import { type Attrs, type Column, defineColumn, type TensorType } from '@baton/ir';
import { isFloat } from '@baton/tensor';
import type { Facts, Value } from './value.ts';

/** A call, as far as its numbers are concerned. */
export interface BoundsSite {
  readonly args: ReadonlyArray<Value>;
  readonly attrs: Attrs;
  readonly result: TensorType;
  /** Elements of the first argument for each one of the result: what a sum adds up. */
  readonly ratio: number;
  /** Multiplications for each element of the result. */
  readonly products: number;
}

/** What is known of the numbers of one operator. */
export interface Bounds {
  /** For each argument, the interval on which the operator is finite and moderate. */
  readonly domain?: ReadonlyArray<Interval | undefined>;
  /** The facts of the result. Without it: those of the arguments, and 0. */
  readonly facts?: (facts: ReadonlyArray<Facts>, site: BoundsSite) => Facts;
}

/** From the first to the second, both included. */
export type Interval = readonly [lo: number, hi: number];

/** The numerics of operators, for tables that bring their own. */
export const boundsColumn: Column<Bounds> = defineColumn('bounds');

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
export function mixed(facts: ReadonlyArray<Facts>, site: BoundsSite): Facts {
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
const productSum: Bounds = {
  facts: (facts, { products }) => {
    const [x, w] = [first(facts), second(facts)];
    return symmetric(max(x) * max(w) * Math.max(products, 1), x.fraction + w.fraction);
  },
};

/** Results that are indices, counts or truth values. */
const discrete: Bounds = {
  facts: (_facts, { result }) => (result.dtype === 'bool' ? between(0, 1, 0) : between(0, 64, 0)),
};
const integral: Bounds = {
  facts: (facts) => symmetric(2 * Math.max(...facts.map(max), 4), 0),
};

const bounded = (facts: NonNullable<Bounds['facts']>, domain?: Interval | undefined): Bounds => ({
  facts,
  ...(domain === undefined ? {} : { domain: [domain] }),
});

/** From just above 0. */
const POSITIVE: Interval = [0.125, 1024];

const remainder: Bounds = {
  facts: (facts) =>
    symmetric(
      Math.max(max(second(facts)), 1),
      Math.max(first(facts).fraction, second(facts).fraction),
    ),
};

const quotient: Bounds = {
  facts: (facts, { result }) => {
    const dtype = result.dtype;
    const nonzero = Math.min(Math.abs(second(facts).lo), Math.abs(second(facts).hi)) || 1;
    const isWhole = typeof dtype === 'string' && !isFloat(dtype as 'int32');
    return symmetric(max(first(facts)) / nonzero, isWhole ? 0 : Number.POSITIVE_INFINITY);
  },
};

const normalizing: Bounds = bounded((facts, { ratio }) => {
  const scale = Math.max(1, ...facts.slice(1).map(max));
  return symmetric(scale * (4 + Math.sqrt(ratio)));
});

/** The binary digits of a bound behind the point. */
const digits = (x: number): number => [0, 1, 2, 3].find((k) => Number.isInteger(x * 2 ** k)) ?? 12;

const isDyadicMean = (count: number): boolean => Number.isInteger(Math.log2(count));

const named = (names: string, numerics: Bounds): ReadonlyArray<[string, Bounds]> =>
  names.split(' ').map((name) => [name, numerics]);

/** What is known of the standard operators; those that move and select data need no saying. */
export const standardBounds: ReadonlyMap<string, Bounds> = new Map([
  ...named('cast cast_like full full_like', { facts: (facts) => hull([ZERO, ...facts]) }),
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
  ...named('floor ceil round trunc', { facts: whole }),
  ...named('sign', { facts: within(-1, 1, 0) }),
  ...named('zeros zeros_like', { facts: within(0, 0, 0) }),
  ...named('ones ones_like', { facts: within(1, 1, 0) }),
  ...named('arange', { facts: within(-32, 32, 3) }),
  ...named('abs', {
    facts: (facts) => {
      const x = first(facts);
      const least = x.lo <= 0 && x.hi >= 0 ? 0 : Math.min(Math.abs(x.lo), Math.abs(x.hi));
      return between(least, max(x), x.fraction);
    },
  }),
  ...named('negative', {
    facts: (facts) => between(-first(facts).hi, -first(facts).lo, first(facts).fraction),
  }),
  ...named('clip', {
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
    facts: (facts) =>
      symmetric(max(first(facts)) * Math.max(1, max(second(facts))), first(facts).fraction + 6),
  }),
  ...named('add nn.bias_add', {
    facts: ([a = ZERO, b = ZERO]) =>
      between(a.lo + b.lo, a.hi + b.hi, Math.max(a.fraction, b.fraction)),
  }),
  ...named('subtract', {
    facts: ([a = ZERO, b = ZERO]) =>
      between(a.lo - b.hi, a.hi - b.lo, Math.max(a.fraction, b.fraction)),
  }),
  ...named('multiply', {
    facts: ([a = ZERO, b = ZERO]) => corners(a, b, (x, y) => x * y, a.fraction + b.fraction),
  }),
  ...named('divide', quotient),
  ...named('floor_divide trunc_divide', quotient),
  ...named('mod trunc_mod floor_mod', remainder),
  ...named('power', { facts: within(0, 256) }),
  ...named('exp fast_exp', bounded(rising(Math.exp), [-32, 5])),
  ...named('log', bounded(rising(Math.log), POSITIVE)),
  ...named('log2', bounded(rising(Math.log2), POSITIVE)),
  ...named('log10', bounded(rising(Math.log10), POSITIVE)),
  ...named('sqrt', bounded(rising(Math.sqrt), [0, 65536])),
  ...named(
    'rsqrt',
    bounded((facts) => between(0, 1 / Math.sqrt(Math.max(first(facts).lo, 0.01))), [0.125, 65536]),
  ),
  ...named('sin cos', bounded(within(-1, 1), [-64, 64])),
  ...named('tan', bounded(rising(Math.tan), [-1.25, 1.25])),
  ...named('sinh', bounded(rising(Math.sinh), [-5, 5])),
  ...named(
    'cosh',
    bounded((facts) => between(1, Math.cosh(max(first(facts)))), [-5, 5]),
  ),
  ...named('tanh fast_tanh erf fast_erf', bounded(within(-1, 1))),
  ...named('sigmoid', bounded(within(0, 1))),
  ...named('asin', bounded(rising(Math.asin), [-0.875, 0.875])),
  ...named(
    'acos',
    bounded(([x = ZERO]) => between(Math.acos(x.hi), Math.acos(x.lo)), [-0.875, 0.875]),
  ),
  ...named('atan', bounded(rising(Math.atan))),
  ...named('asinh', bounded(rising(Math.asinh))),
  ...named('acosh', bounded(rising(Math.acosh), [1.125, 1024])),
  ...named('atanh', bounded(rising(Math.atanh), [-0.875, 0.875])),
  ...named('sum cumsum collapse_sum_like collapse_sum_to', {
    facts: (facts, { ratio, result }) => {
      const terms = ratio > 1 ? ratio : Math.max(1, ...lastDims(result));
      return symmetric(max(first(facts)) * terms, first(facts).fraction);
    },
  }),
  ...named('prod cumprod', {
    domain: [[-1, 1]],
    facts: within(-1, 1),
  }),
  ...named('mean', {
    facts: (facts, { ratio }) => ({
      ...hull([ZERO, first(facts)]),
      fraction: isDyadicMean(ratio) ? first(facts).fraction + Math.log2(ratio) : Infinity,
    }),
  }),
  ...named('variance', {
    facts: (facts) => between(0, 2 * (max(first(facts)) + max(second(facts))) ** 2),
  }),
  ...named(
    'nn.avg_pool1d nn.avg_pool2d nn.avg_pool3d nn.global_avg_pool2d nn.adaptive_avg_pool1d ' +
      'nn.adaptive_avg_pool2d nn.adaptive_avg_pool3d nn.upsampling image.resize1d image.resize2d ' +
      'image.resize3d image.grid_sample image.affine_grid',
    bounded((facts) => symmetric(2 * Math.max(...facts.map(max), 1))),
  ),
  ...named(
    'nn.conv1d nn.conv2d nn.conv3d nn.conv1d_transpose nn.conv2d_transpose nn.conv3d_transpose ' +
      'nn.dense nn.matmul nn.batch_matmul',
    productSum,
  ),
  ...named('einsum', {
    facts: (facts) => symmetric(max(first(facts)) ** 2 * 64, 2 * first(facts).fraction),
  }),
  ...named('scatter_elements scatter_nd', {
    facts: (facts) =>
      symmetric(
        4 * Math.max(max(first(facts)), max(facts[2] ?? ZERO)) ** 2,
        Math.max(first(facts).fraction, facts[2]?.fraction ?? 0),
      ),
  }),
  ...named('nn.softmax nn.fast_softmax', bounded(within(0, 1))),
  ...named(
    'nn.log_softmax',
    bounded((facts) => between(-2 * max(first(facts)) - 8, 0)),
  ),
  ...named('nn.batch_norm', {
    ...bounded(([x = ZERO, g = ZERO, b = ZERO, m = ZERO]) =>
      symmetric((max(x) + max(m)) * max(g) * 4 + max(b)),
    ),
    domain: [undefined, undefined, undefined, undefined, [0.0625, 256]],
  }),
  ...named('nn.layer_norm nn.instance_norm nn.group_norm nn.l2_normalize', normalizing),
  ...named(
    'nn.lrn',
    bounded((facts) => symmetric(max(first(facts)))),
  ),
  ...named('nn.cross_entropy', {
    ...bounded(within(-512, 512)),
    domain: [[0.125, 1024]],
  }),
  ...named('nn.cross_entropy_with_logits nn.nll_loss', {
    ...bounded((facts) => symmetric(16 * Math.max(...facts.map(max), 1) ** 2)),
    domain: [
      [-16, 16],
      [-16, 16],
    ],
  }),
  ...named('reinterpret', { facts: within(-1e30, 1e30) }),
]);

const lastDims = (type: TensorType): ReadonlyArray<number> =>
  '_tag' in type.shape ? [] : type.shape.filter((dim) => typeof dim === 'number');
