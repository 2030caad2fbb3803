/** Operators on integers that stand for real numbers. */
import type { DType } from '@baton/tensor';
import { int, oneOf } from '../attrs/codecs.ts';
import { withDefault } from '../attrs/schema.ts';
import { type BoundsRule, between, type Interval, magnitude } from '../bounds/bounds.ts';
import { first, symmetric } from '../bounds/rules.ts';
import type { Facts } from '../define-op.ts';
import type { FactSite } from '../definition/site.ts';
import type { KernelArgs } from '../kernel.ts';
import { type Quantization, quantizedRange } from '../kernels/quantized.ts';

/** The scales and zero points of generated calls. */
export const SCALES: Interval = [0.0625, 1];
export const POINTS: Interval = [-8, 8];

/** The axis along which scales and zero points of an argument may lie. */
export const axisProp = withDefault(int, -1);

/** The type of the integers that an operator makes. */
export const quantizedType = oneOf('int8', 'uint8', 'int16', 'uint16', 'int32');

/** The result is as wide as its type. */
export const ofItsType: BoundsRule<unknown> = (_facts, { result }) => {
  const [least, most] = quantizedRange(result.dtype as DType);
  return between(least, most, 0);
};

/** The bounds of what integers stand for. */
export const unscaled: BoundsRule<unknown> = (facts) => {
  const [x, scale, zero] = facts;
  if (x === undefined || scale === undefined || zero === undefined) return first(facts);
  return symmetric((magnitude(x) + magnitude(zero)) * magnitude(scale));
};

/** Sums of products of integers without their zero points. */
export const sumOfCentred: BoundsRule<unknown> = (facts, { products }) => {
  const [x, w, zeroX, zeroW] = facts.map(magnitude);
  const most = ((x ?? 0) + (zeroX ?? 0)) * ((w ?? 0) + (zeroW ?? 0));
  return symmetric(most * Math.max(products, 1), 0);
};

/** The facts of operators that quantize element by element. */
export const quantizes: Facts<'fusion' | 'kind' | 'scaleAxis' | 'numerics' | 'bounds'> = {
  fusion: 'broadcast',
  kind: 'elementwise',
  scaleAxis: 'none',
  numerics: 'discontinuous',
  bounds: ofItsType,
};

/** Whether the scale and the zero point behind the data are one number each. */
export const isOfNumbers = ({ rank }: FactSite<unknown>): boolean => rank(1) === 0 && rank(2) === 0;

/** Whether the zero points of both operands of a product are one number each. */
export const hasTwoPoints = ({ rank }: FactSite<unknown>): boolean =>
  rank(2) === 0 && rank(3) === 0;

/** The quantization that two arguments state. */
export const quantizationOf = (
  args: KernelArgs,
  {
    scale,
    zero,
    axis = 0,
  }: { readonly scale: number; readonly zero: number; readonly axis?: number },
): Quantization => ({ scale: args.tensor(scale), zero: args.tensor(zero), axis });
