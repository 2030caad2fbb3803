/** Rules on quantized integers that several operators share. */
import type { Expr, Type } from '@baton/ir';
import { fromNumbers, scalar, toNumbers } from '@baton/tensor';
import { quantizedRange } from '../kernels/quantized.ts';
import { letterAxes } from '../scale-axis/layout.ts';
import {
  asIntegers,
  broughtTo,
  centred,
  elementsOf,
  finer,
  fits,
  integers,
  isUniform,
  noZero,
  numberIn,
  sameAffine,
  sameScales,
  timesScale,
  widened,
} from './affine.ts';
import type { Affine, IntegerArgument, IntegerSite, Integers, OnIntegers } from './column.ts';

type Site = IntegerSite<unknown>;

/** The quantization after the axes have moved; `undefined` if an axis of scales is lost. */
function moved(site: Site, affine: Affine): Affine | undefined {
  if (isUniform(affine)) return affine;
  const axis = site.axisOf(affine.axis);
  return axis === undefined ? undefined : { ...affine, axis };
}

const valuesOf = (args: ReadonlyArray<IntegerArgument>): ReadonlyArray<Expr> =>
  args.map(({ value }) => value);

/** For operators that move, repeat or select elements: the same call on integers. */
export const sameOnIntegers: OnIntegers<unknown> = {
  keepsRange: true,
  rule: (site) => {
    const [x, ...others] = site.args;
    if (x?._tag !== 'Integers' || others.some(({ _tag }) => _tag !== 'OtherArgument')) {
      return undefined;
    }
    const affine = moved(site, x.affine);
    return affine && integers(site.again(valuesOf(site.args)), affine);
  },
};

export const partsOnIntegers: OnIntegers<unknown> = {
  keepsRange: true,
  rule: (site) => {
    const x = asIntegers(site.args[0]);
    if (x === undefined || site.result._tag !== 'TupleType') return undefined;
    if (!isUniform(x.affine)) return undefined;
    const fields = site.result.fields.map(() => x.affine);
    return { _tag: 'IntegerFields', value: site.again([x.value]), fields };
  },
};

/** Whether integers have 8 bits: products of wider ones may overflow int32. */
const isNarrow = ({ affine: { dtype } }: Integers): boolean =>
  dtype === 'int8' || dtype === 'uint8';

/** The axes of the weight and of the result that are the outputs of a product. */
export interface Outputs {
  readonly weight: number;
  readonly result: number;
}

/** Sums of products by the operator `name`; the scale is the product of the scales. */
export const productOnIntegers = <A>(
  name: string,
  outputsOf: (attrs: A) => Outputs | undefined,
): OnIntegers<A> => ({
  rule: (site) => {
    const [x, w] = site.args.map(asIntegers);
    if (x === undefined || w === undefined || !isUniform(x.affine)) return undefined;
    if (!isNarrow(x) || !isNarrow(w)) return undefined;
    const outputs = outputsOf(site.attrs);
    const isAlong = outputs !== undefined && w.affine.axis === outputs.weight;
    if (!isUniform(w.affine) && !isAlong) return undefined;
    const [from, by] = [x.affine, w.affine];
    const operands = [x.value, w.value, from.zero, by.zero, from.scale, by.scale];
    const value = site.again(operands, { name, attrs: { out_dtype: 'int32' } });
    const scale = timesScale(site, from.scale, by.scale);
    const along = outputs?.result ?? -1;
    const axis = isUniform(w.affine) ? -1 : along < 0 ? along + (rankOf(site.result) ?? 0) : along;
    return integers(value, { scale, zero: noZero(site), axis, dtype: 'int32' });
  },
});

interface Convolved {
  readonly data_layout: string;
  readonly kernel_layout: string;
  readonly out_layout: string;
  readonly groups: number;
}

/** For a convolution without blocks of channels. */
export function outputsOfConvolution(attrs: Convolved): Outputs | undefined {
  const weight = letterAxes(attrs.kernel_layout, 'O');
  const result = letterAxes(attrs.out_layout || attrs.data_layout, 'C');
  if (weight?.block !== undefined || result?.block !== undefined) return undefined;
  return weight && result && { weight: weight.main, result: result.main };
}

/** For a transposed convolution; with groups, the outputs are not an axis of its weight. */
export const outputsOfTransposed = (attrs: Convolved): Outputs | undefined =>
  attrs.groups === 1 ? outputsOfConvolution(attrs) : undefined;

/** Batched products; the operator on integers takes the second operand transposed. */
export const batchesOnIntegers: OnIntegers<{
  readonly transpose_a: boolean;
  readonly transpose_b: boolean;
}> = {
  rule: (site) => {
    const [x, y] = site.args.map(asIntegers);
    if (x === undefined || y === undefined || site.attrs.transpose_a) return undefined;
    if (!isUniform(x.affine) || !isUniform(y.affine)) return undefined;
    if (!isNarrow(x) || !isNarrow(y)) return undefined;
    const turned = site.attrs.transpose_b
      ? y.value
      : site.op('transpose', [y.value], { axes: [0, 2, 1] });
    const [from, by] = [x.affine, y.affine];
    const value = site.op('qnn.batch_matmul', [
      x.value,
      turned,
      from.zero,
      by.zero,
      from.scale,
      by.scale,
    ]);
    const scale = timesScale(site, from.scale, by.scale);
    return integers(value, { scale, zero: noZero(site), axis: -1, dtype: 'int32' });
  },
};

/** A product with a matrix: `qnn.dense`, which takes the weight transposed. */
export const matrixOnIntegers: OnIntegers<{
  readonly transpose_a: boolean;
  readonly transpose_b: boolean;
}> = {
  rule: (site) => {
    const w = asIntegers(site.args[1]);
    if (w === undefined || site.attrs.transpose_a || rankOf(site.result) === 1) return undefined;
    if (site.attrs.transpose_b) return dense.rule(site);
    const axis = isUniform(w.affine) ? -1 : 1 - w.affine.axis;
    const turned = integers(site.op('transpose', [w.value], { axes: [1, 0] }), {
      ...w.affine,
      axis,
    });
    return dense.rule({ ...site, args: [site.args[0] as IntegerArgument, turned] });
  },
};

const dense = productOnIntegers('qnn.dense', () => ({ weight: 0, result: -1 }));

/** A unary function by the operator `name`; the result has the wanted quantization. */
export const functionOnIntegers = (name: string): OnIntegers<unknown> => ({
  rule: (site) => {
    const x = asIntegers(site.args[0]);
    if (x === undefined || !isUniform(x.affine)) return undefined;
    const { scale, zero, dtype } = x.affine;
    const to = site.wanted();
    if (to === undefined || !isUniform(to)) return undefined;
    if (dtype !== 'int32' && dtype !== to.dtype) return undefined;
    // Values clamped to int32 leave no headroom for a zero point that is subtracted later.
    const own: Affine = dtype === to.dtype ? to : { ...to, zero: noZero(site), dtype };
    const operands = [x.value, scale, zero, own.scale, own.zero];
    return integers(site.again(operands, { name, attrs: {} }), own);
  },
});

/** Steps of a mean for each step of the argument: the quotient is truncated. */
const STEPS = 256;

/** The most elements of 9 bits whose sum fits in int32. */
const MOST = 2 ** 13;

/**
 * A mean of integers: of 8 bits in finer steps, if their sum fits; of int32 in int64. `count` is
 * the largest number of elements of one mean.
 */
export const meanOnIntegers = <A>(
  count: (site: IntegerSite<A>) => number | undefined,
): OnIntegers<A> => ({
  rule: (site) => {
    const x = asIntegers(site.args[0]);
    if (x === undefined || !isUniform(x.affine)) return undefined;
    const { scale, dtype } = x.affine;
    const to: Affine = { scale, zero: noZero(site), axis: -1, dtype: 'int32' };
    if (dtype === 'int32' && isPlain(x.affine)) {
      const wide = site.op('cast', [x.value], { dtype: 'int64' });
      return integers(site.op('cast', [site.again([wide])], { dtype: 'int32' }), to);
    }
    const elements = count(site) ?? Number.POSITIVE_INFINITY;
    if (!(elements <= MOST) || !isNarrow(x)) return undefined;
    const steps = site.constant(scalar(STEPS, 'int32'));
    const fine = site.op('multiply', [centred(site, x), steps]);
    return integers(site.again([fine]), { ...to, scale: finer(site, scale, STEPS) });
  },
});

/** Quantizes a constant like the other operand of a sum or a comparison. */
function quantizedLike(site: Site, arg: IntegerArgument, like: Affine): Integers | undefined {
  if (arg._tag === 'Integers') return arg;
  if (arg._tag !== 'RealConstant' || !fits(arg.data, like)) return undefined;
  const { scale, zero, dtype } = like;
  const value = site.op('qnn.quantize', [arg.value, scale, zero], { out_dtype: dtype });
  return integers(value, like);
}

/** Two operands, of which one may be a constant. */
function operandsOf(site: Site): readonly [Integers, Integers] | undefined {
  const [a, b] = site.args;
  const like = asIntegers(a)?.affine ?? asIntegers(b)?.affine;
  if (a === undefined || b === undefined || like === undefined) return undefined;
  const [left, right] = [quantizedLike(site, a, like), quantizedLike(site, b, like)];
  return left && right && [left, right];
}

/** A sum or a difference: the operator `name` if scales differ, else `plain` on int32. */
export const sumOnIntegers = (name: string): OnIntegers<unknown> => ({
  rule: (site) => {
    const operands = operandsOf(site);
    if (operands === undefined) return undefined;
    const [a, b] = operands;
    if (sameAffine(a.affine, b.affine) && isPlain(a.affine) && areAlong(site, a.affine, b.affine)) {
      return integers(site.again([a.value, b.value]), a.affine);
    }
    if (!isUniform(a.affine) || !isUniform(b.affine)) return undefined;
    const areAlike = a.affine.dtype === b.affine.dtype && isNarrow(a);
    const to = areAlike ? site.wanted() : undefined;
    if (to?.dtype === a.affine.dtype && isUniform(to)) {
      return integers(combined(site, name, a, b, to), to);
    }
    const finest = finestOf(a, b);
    if (finest === undefined) return undefined;
    const wide: Affine = { ...finest, zero: noZero(site), dtype: 'int32' };
    const [left, right] = [widened(site, a), widened(site, b)];
    return integers(combined(site, name, left, right, wide), wide);
  },
});

const isPlain = ({ dtype, zero }: Affine): boolean =>
  dtype === 'int32' && elementsOf(zero)?.every((point) => point === 0) === true;

/** Whether both have one scale, or scales along the same axis of tensors of one rank. */
const areAlong = (site: Site, a: Affine, b: Affine): boolean =>
  isUniform(a) ? isUniform(b) : a.axis === b.axis && new Set(site.types.map(rankOf)).size === 1;

const rankOf = (type: Type): number | undefined =>
  type._tag === 'TensorType' && !('_tag' in type.shape) ? type.shape.length : undefined;

/** The bits of a sum in int32, and of its operands: sums of products have at most 24. */
const ROOM = 30;
const bitsOf = (x: Integers): number => (isNarrow(x) ? 9 : 24);

/** The quantization with the smaller steps, if it can hold the values of both. */
function finestOf(a: Integers, b: Integers): Affine | undefined {
  const [left, right] = [numberIn(a.affine.scale), numberIn(b.affine.scale)];
  if (left === undefined || right === undefined) return undefined;
  const [fine, coarse] = right < left ? [b, a] : [a, b];
  const steps = Math.max(left, right) / Math.min(left, right);
  return bitsOf(coarse) + Math.log2(steps) <= ROOM ? fine.affine : undefined;
}

const combined = (site: Site, name: string, a: Integers, b: Integers, to: Affine): Expr =>
  site.op(name, [
    a.value,
    b.value,
    a.affine.scale,
    a.affine.zero,
    b.affine.scale,
    b.affine.zero,
    to.scale,
    to.zero,
  ]);

/** The largest integer that a constant factor becomes. */
const FACTOR = 2 ** 15 - 1;

/** A factor of a product. A constant has a scale of its own, for the highest precision. */
function factorOf(site: Site, arg: IntegerArgument | undefined): Integers | undefined {
  if (arg?._tag !== 'RealConstant') return asIntegers(arg);
  const most = Math.max(0, ...Array.from(toNumbers(arg.data), (x) => Math.abs(Number(x))));
  if (!Number.isFinite(most)) return undefined;
  const scale = site.constant(scalar(most === 0 ? 1 : most / FACTOR, arg.data.dtype));
  const affine: Affine = { scale, zero: noZero(site), axis: -1, dtype: 'int32' };
  const attrs = { out_dtype: 'int32' };
  return integers(site.op('qnn.quantize', [arg.value, scale, affine.zero], attrs), affine);
}

/** A product: `qnn.mul` in the wanted quantization, or else exactly in int32. */
export const productOfTwo: OnIntegers<unknown> = {
  rule: (site) => {
    const [a, b] = site.args.map((arg) => factorOf(site, arg));
    if (a === undefined || b === undefined) return undefined;
    if (!isUniform(a.affine) || !isUniform(b.affine)) return undefined;
    const areNarrow = site.args.every((arg) => arg._tag !== 'Integers' || isNarrow(arg));
    if (!areNarrow) return undefined;
    if (a.affine.dtype === b.affine.dtype && a.affine.dtype !== 'int32') {
      const to = site.wanted();
      if (to?.dtype === a.affine.dtype && isUniform(to)) {
        return integers(combined(site, 'qnn.mul', a, b, to), to);
      }
    }
    const value = site.op('multiply', [centred(site, a), centred(site, b)]);
    const scale = timesScale(site, a.affine.scale, b.affine.scale);
    return integers(value, { scale, zero: noZero(site), axis: -1, dtype: 'int32' });
  },
};

export const extremeOfTwo: OnIntegers<unknown> = {
  keepsRange: true,
  rule: (site) => {
    const operands = operandsOf(site);
    if (operands === undefined) return undefined;
    const [a, b] = operands;
    if (!isUniform(a.affine) || !isUniform(b.affine)) return undefined;
    const to = sameAffine(a.affine, b.affine) ? a.affine : site.wanted();
    const [left, right] = to === undefined ? [] : [a, b].map((x) => broughtTo(site, x, to));
    if (to === undefined || left === undefined || right === undefined) return undefined;
    return integers(site.again([left.value, right.value]), to);
  },
};

/**
 * The number of elements that a mean averages: those of the argument for each one of the result.
 */
export function reducedCount({ types, result }: IntegerSite<unknown>): number | undefined {
  const [all, kept] = [types[0], result].map((type) =>
    type?._tag === 'TensorType' && !('_tag' in type.shape) ? sizeOf(type.shape) : undefined,
  );
  return all === undefined || kept === undefined ? undefined : all / Math.max(kept, 1);
}

function sizeOf(dims: ReadonlyArray<unknown>): number | undefined {
  const known = dims.filter((dim) => typeof dim === 'number');
  return known.length === dims.length ? known.reduce((a, b) => a * b, 1) : undefined;
}

/** The largest window has at most this many times the average number of elements. */
const UNEVEN = 8;

/** Means of windows; those of an adaptive pool differ slightly in size. */
export const meanOfWindowsOnIntegers: OnIntegers<unknown> = meanOnIntegers(
  (site) => UNEVEN * (reducedCount(site) ?? Number.NaN),
);

/** A constant for the integers of a result, aligned with the axis of their scales. */
function laidOut(
  site: Site,
  numbers: ReadonlyArray<number>,
  { axis, dtype }: Affine,
): Expr | undefined {
  const rank = rankOf(site.result);
  if (numbers.length === 1) return site.constant(scalar(numbers[0] ?? 0, dtype));
  if (rank === undefined) return undefined;
  const dims = Array.from({ length: rank - axis }, (_, i) => (i === 0 ? numbers.length : 1));
  return site.constant(fromNumbers(numbers, dims, dtype));
}

/**
 * The integers that represent a number, one for each scale, possibly out of the dtype's range;
 * `undefined` if they are unknown.
 */
function standingFor(x: number, { scale, zero }: Affine): ReadonlyArray<number> | undefined {
  const [scales, zeros] = [elementsOf(scale), elementsOf(zero)];
  if (scales === undefined || zeros === undefined) return undefined;
  const at = (of: ReadonlyArray<number>, i: number): number => of[of.length === 1 ? 0 : i] ?? 0;
  return Array.from(
    { length: Math.max(scales.length, zeros.length) },
    (_, i) => Math.round(x / at(scales, i)) + at(zeros, i),
  );
}

/**
 * Integers that can be clamped to bounds: unchanged if no lower bound is above their dtype and no
 * upper bound is below it, else in int32; `undefined` if int32 is too narrow as well. Zero points
 * are int32, so bounds computed from them may be out of range.
 */
function withRoom(
  site: Site,
  x: Integers,
  low: ReadonlyArray<number>,
  high: ReadonlyArray<number>,
): Integers | undefined {
  return [x, widened(site, x)].find(({ affine: { dtype } }) => {
    const [least, most] = quantizedRange(dtype);
    return low.every((bound) => bound <= most) && high.every((bound) => bound >= least);
  });
}

const boundsIn = (bounds: ReadonlyArray<number>, { dtype }: Affine): ReadonlyArray<number> => {
  const [least, most] = quantizedRange(dtype);
  return bounds.map((bound) => Math.min(Math.max(bound, least), most));
};

export const rectifierOnIntegers: OnIntegers<unknown> = {
  keepsRange: true,
  rule: (site) => {
    const x = asIntegers(site.args[0]);
    if (x === undefined) return undefined;
    const { zero } = x.affine;
    const known = elementsOf(zero);
    if (known === undefined) {
      if (site.rank(zero) !== 0) return undefined;
      const wide = widened(site, x);
      return integers(site.op('maximum', [wide.value, zero]), wide.affine);
    }
    const roomy = withRoom(site, x, known, []);
    const least = roomy && laidOut(site, boundsIn(known, roomy.affine), roomy.affine);
    return least && integers(site.op('maximum', [roomy.value, least]), roomy.affine);
  },
};

/** Clamps to the integers that represent the bounds. */
export const boundsOnIntegers: OnIntegers<{ readonly a_min: number; readonly a_max: number }> = {
  keepsRange: true,
  rule: (site) => {
    const x = asIntegers(site.args[0]);
    if (x === undefined) return undefined;
    const [from, to] = [site.attrs.a_min, site.attrs.a_max].map((bound) =>
      standingFor(bound, x.affine),
    );
    const roomy = from && to && withRoom(site, x, from, to);
    if (from === undefined || to === undefined || roomy === undefined) return undefined;
    const { value, affine } = roomy;
    const [least, most] = [boundsIn(from, affine), boundsIn(to, affine)];
    if (least.length === 1) {
      const attrs = { a_min: least[0] ?? 0, a_max: most[0] ?? 0 };
      return integers(site.op('clip', [value], attrs), affine);
    }
    const [low, high] = [laidOut(site, least, affine), laidOut(site, most, affine)];
    if (low === undefined || high === undefined) return undefined;
    return integers(site.op('minimum', [site.op('maximum', [value, low]), high]), affine);
  },
};

/** Adds a vector along `axis`: in int32, with the scale of the data and the zero point 0. */
export const biasOnIntegers: OnIntegers<{ readonly axis: number }> = {
  rule: (site) => {
    const [x, bias] = [asIntegers(site.args[0]), site.args[1]];
    const rank = site.types[0] && rankOf(site.types[0]);
    if (x === undefined || bias === undefined || rank === undefined) return undefined;
    const axis = site.attrs.axis < 0 ? site.attrs.axis + rank : site.attrs.axis;
    const isOne = isUniform(x.affine);
    if (!isOne && x.affine.axis !== axis) return undefined;
    const to: Affine = {
      scale: x.affine.scale,
      zero: noZero(site),
      axis: isOne ? -1 : 0,
      dtype: 'int32',
    };
    const added = biasAs(site, bias, to);
    if (added === undefined) return undefined;
    const wide = widened(site, x);
    return integers(site.again([wide.value, added]), wide.affine);
  },
};

function biasAs(
  site: Pick<Site, 'op' | 'constant'>,
  bias: IntegerArgument,
  to: Affine,
): Expr | undefined {
  if (bias._tag === 'Integers') {
    if (isPlain({ ...bias.affine, dtype: 'int32' }) && sameScales(bias.affine, to)) {
      return widened(site, bias).value;
    }
    return broughtTo(site, bias, to)?.value;
  }
  const scales = elementsOf(to.scale);
  if (bias._tag !== 'RealConstant' || scales === undefined) return undefined;
  // Half of the range is left for the value that the bias is added to.
  const most = quantizedRange(to.dtype)[1] / 2;
  const isRoom = Array.from(toNumbers(bias.data), Number).every(
    (b, i) => Math.abs(b / (scales[scales.length === 1 ? 0 : i] ?? 0)) < most,
  );
  const attrs = { axis: 0, out_dtype: to.dtype };
  return isRoom ? site.op('qnn.quantize', [bias.value, to.scale, to.zero], attrs) : undefined;
}

/** Pads with the integer that represents the value. */
export const paddingOnIntegers: OnIntegers<unknown> = {
  keepsRange: true,
  rule: (site) => {
    const [x, value] = [asIntegers(site.args[0]), site.args[1]];
    if (x === undefined || value === undefined || !isUniform(x.affine)) return undefined;
    const like = quantizedLike(site, value, x.affine);
    const padding = like && broughtTo(site, like, x.affine);
    if (padding === undefined) return undefined;
    return integers(site.again([x.value, padding.value]), x.affine);
  },
};

/** Concatenates a tuple: `qnn.concatenate` if the quantizations differ. */
export const joinedOnIntegers: OnIntegers<unknown> = {
  keepsRange: true,
  rule: (site) => {
    const tuple = site.args[0];
    const first = tuple?._tag === 'IntegerFields' ? tuple.fields[0] : undefined;
    if (tuple?._tag !== 'IntegerFields' || first === undefined) return undefined;
    const { fields, value } = tuple;
    if (!fields.every((field) => isUniform(field))) return undefined;
    if (fields.every((field) => sameAffine(field, first))) {
      return integers(site.again([value]), first);
    }
    const to = site.wanted();
    if (to === undefined || !isUniform(to)) return undefined;
    if (!fields.every(({ dtype }) => dtype === to.dtype)) return undefined;
    const [scales, zeros] = [fields.map(({ scale }) => scale), fields.map(({ zero }) => zero)];
    const tuples = [value, site.tuple(scales), site.tuple(zeros)];
    const as = { name: 'qnn.concatenate', attrs: {} };
    return integers(site.again([...tuples, to.scale, to.zero], as), to);
  },
};
