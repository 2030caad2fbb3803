/** Rules for the bounds of results that several operators share. */
import type { TensorType, Type } from '@baton/ir';
import { isFloat } from '@baton/tensor';
import {
  type BoundsRule,
  between,
  type Facts,
  hull,
  type Interval,
  magnitude,
  ZERO,
} from './bounds.ts';

type AnyRule = BoundsRule<unknown>;

export const first = (facts: ReadonlyArray<Facts>): Facts => facts[0] ?? ZERO;

export const second = (facts: ReadonlyArray<Facts>): Facts => facts[1] ?? ZERO;

/** The result consists of zeros and of elements of the arguments that have its dtype. */
export const mixed: AnyRule = (facts, { args, result }) =>
  hull([ZERO, ...facts.filter((_, i) => holds(args[i], result.dtype))]);

const holds = (type: Type | undefined, dtype: TensorType['dtype']): boolean =>
  type?._tag === 'TupleType'
    ? type.fields.some((field) => field._tag === 'TensorType' && field.dtype === dtype)
    : type?._tag === 'TensorType' && type.dtype === dtype;

/** The result consists of zeros and of elements of all arguments, whatever their dtype. */
export const anyOf: AnyRule = (facts) => hull([ZERO, ...facts]);

export const within =
  (lo: number, hi: number, fraction?: number): AnyRule =>
  () =>
    between(lo, hi, fraction);

export const rising =
  (f: (x: number) => number): AnyRule =>
  (facts) =>
    between(f(first(facts).lo), f(first(facts).hi));

export const symmetric = (bound: number, fraction: number = Number.POSITIVE_INFINITY): Facts =>
  between(-bound, bound, fraction);

/** An integer near the argument. */
export const whole: AnyRule = (facts) => {
  const { lo, hi } = first(facts);
  return between(Math.floor(lo), Math.ceil(hi), 0);
};

/** An index, a count or a boolean. */
export const discrete: AnyRule = (_facts, { result }) =>
  result.dtype === 'bool' ? between(0, 1, 0) : between(0, 64, 0);

export const integral: AnyRule = (facts) => symmetric(2 * Math.max(...facts.map(magnitude), 4), 0);

export const sumOfTwo: AnyRule = ([a = ZERO, b = ZERO]) =>
  between(a.lo + b.lo, a.hi + b.hi, Math.max(a.fraction, b.fraction));

export const sumOfMany: AnyRule = (facts, { ratio, result }) => {
  const terms = ratio > 1 ? ratio : Math.max(1, ...dimsOf(result));
  return symmetric(magnitude(first(facts)) * terms, first(facts).fraction);
};

const dimsOf = (type: TensorType): ReadonlyArray<number> =>
  '_tag' in type.shape ? [] : type.shape.filter((dim) => typeof dim === 'number');

/** A product of elements between -1 and 1. */
export const productOfMany: AnyRule = (facts, { ratio, result }) => {
  const factors = ratio > 1 ? ratio : dimsOf(result).reduce((n, dim) => n * dim, 1);
  const { fraction } = first(facts);
  return between(-1, 1, fraction === 0 ? 0 : factors * fraction);
};

export const sumOfProducts: AnyRule = (facts, { products }) => {
  const [x, w] = [first(facts), second(facts)];
  return symmetric(magnitude(x) * magnitude(w) * Math.max(products, 1), x.fraction + w.fraction);
};

export const quotient: AnyRule = (facts, { result }) => {
  const { dtype } = result;
  const nonzero = Math.min(Math.abs(second(facts).lo), Math.abs(second(facts).hi)) || 1;
  const isWhole = typeof dtype === 'string' && !isFloat(dtype as 'int32');
  return symmetric(magnitude(first(facts)) / nonzero, isWhole ? 0 : Number.POSITIVE_INFINITY);
};

export const remainder: AnyRule = (facts) =>
  symmetric(
    Math.max(magnitude(second(facts)), 1),
    Math.max(first(facts).fraction, second(facts).fraction),
  );

/** The argument, or its product with the second argument. */
export const sloped: AnyRule = (facts) =>
  symmetric(
    magnitude(first(facts)) * Math.max(1, magnitude(second(facts))),
    first(facts).fraction + 6,
  );

/** A weighted mean of neighbours; the weights sum to 1 or slightly more. */
export const interpolated: AnyRule = (facts) => symmetric(2 * Math.max(...facts.map(magnitude), 1));

/** Values of mean 0 and variance 1, scaled and shifted. */
export const normalized: AnyRule = (facts, { ratio }) =>
  symmetric(Math.max(1, ...facts.slice(1).map(magnitude)) * (4 + Math.sqrt(ratio)));

/** A loss whose terms are products of two arguments. */
export const lossOfProducts: AnyRule = (facts) =>
  symmetric(16 * Math.max(...facts.map(magnitude), 1) ** 2);

export const POSITIVE: Interval = [0.125, 1024];

/** Elements of the data, and their sums or products with updates. */
export const scattered: AnyRule = ([data = ZERO, , updates = ZERO]) =>
  symmetric(
    4 * Math.max(magnitude(data), magnitude(updates)) ** 2,
    Math.max(data.fraction, updates.fraction),
  );
