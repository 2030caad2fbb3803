/**
 * Operators between real numbers and quantized ones: the number `x` is stored as an integer `q`
 * with `x = (q - zero point) * scale`
 * ([operators §9](https://batonjs.github.io/baton/spec/operators#9)).
 *
 * Every step is rounded to float32, so that these operators compute what their formulas do.
 */
import type { RelationContext, Type } from '@baton/ir';
import { type DType, dtypeInfo, type Memory, type Tensor } from '@baton/tensor';
import { int, oneOf } from '../attrs/codecs.ts';
import { withDefault } from '../attrs/schema.ts';
import type { BoundsRule } from '../bounds/bounds.ts';
import { within } from '../bounds/rules.ts';
import { elementCount, type TypedFlops } from '../cost.ts';
import type { Facts } from '../define-op.ts';
import { dtypeDomain } from '../diagnostics.ts';
import type { KernelArgs } from '../kernel.ts';
import { finish, loadNumbers, numberBuffer } from '../kernels/values.ts';
import {
  dimAt,
  fillArg,
  type KnownTensor,
  normalAxis,
  report,
  tensorArg,
} from '../relation/known.ts';

/** The common facts of such operators. */
export const quantizes: Facts<'fusion' | 'kind' | 'scaleAxis' | 'precision' | 'numerics'> & {
  readonly cost: TypedFlops<unknown>;
  readonly bounds: BoundsRule<unknown>;
} = {
  fusion: 'elemwise',
  kind: 'elementwise',
  scaleAxis: 'none',
  // A scale says what an integer stands for: it is no number of the model.
  precision: 'never',
  numerics: 'discontinuous',
  cost: (_args, result) => 4 * elementCount(result),
  bounds: within(-1e9, 1e9),
};

/** The attribute `axis`, along which scales and zero points lie that are vectors. */
export const axisProp = withDefault(int, -1);

const QUANTIZED = ['int8', 'uint8', 'int16', 'int32'] as const;

/** The attribute with the type of the quantized numbers. */
export const quantizedProp = withDefault(oneOf(...QUANTIZED), 'int8');

/**
 * The data, if the argument at `at` is a scale in float32 that goes with it, and the next one a zero
 * point in int32: scalars, or vectors along `axis`. Reports anything else.
 */
export function hasScale(
  args: ReadonlyArray<Type>,
  at: number,
  { axis }: { readonly axis: number },
  context: RelationContext,
): KnownTensor | undefined {
  const data = tensorArg(args, 0, context);
  if (data === undefined) return undefined;
  const along = normalAxis(axis, Math.max(1, data.shape.length), context);
  if (along === undefined) return undefined;
  const isScalar = (index: number): boolean =>
    data.shape.length === 0 || tensorArg(args, index, context)?.shape.length === 0;
  const fits = (['float32', 'int32'] as const).map((dtype, i) => {
    const shape = isScalar(at + i) ? [] : [dimAt(data, along)];
    const what = i === 0 ? 'the scale' : 'the zero point';
    const hint = 'set `axis` to the axis of `data` that it lies along';
    return fillArg(args, at + i, what, shape, dtype, context, `axis ${along} of \`data\``, hint);
  });
  return fits.every((fit) => fit) ? data : undefined;
}

/** Like {@link hasScale}, of data that is quantized. */
export function hasOwnScale(
  args: ReadonlyArray<Type>,
  at: number,
  attrs: { readonly axis: number },
  context: RelationContext,
): KnownTensor | undefined {
  const data = hasScale(args, at, attrs, context);
  if (data === undefined || QUANTIZED.some((dtype) => dtype === data.dtype)) return data;
  if (typeof data.dtype !== 'string') return undefined;
  return report(context, dtypeDomain('a tensor of int8, uint8, int16 or int32', data.dtype));
}

/** A scale and a zero point for each element. */
interface Grid {
  readonly scale: (element: number) => number;
  readonly zero: (element: number) => number;
}

/** The scale at `at`, and the zero point after it. */
export function gridOf(args: KernelArgs, at: number, axis: number, memory: Memory): Grid {
  const { shape } = args.tensor(0);
  const place = shape.length === 0 ? 0 : args.axis(0, axis);
  const inner = shape.slice(place + 1).reduce((count, size) => count * size, 1);
  const valuesOf = (t: Tensor): ((element: number) => number) => {
    const values = loadNumbers(t, memory);
    const count = values.length;
    return count === 1
      ? () => values[0] as number
      : (element) => values[Math.floor(element / inner) % count] as number;
  };
  return { scale: valuesOf(args.tensor(at)), zero: valuesOf(args.tensor(at + 1)) };
}

/** The real number of a quantized one. */
export const realOf = (q: number, scale: number, zero: number): number =>
  Math.fround(Math.fround((q - zero) | 0) * scale);

/** The quantized form of a real number: to the nearest, halves away from 0, within the range. */
export function quantizedOf(x: number, scale: number, zero: number, dtype: DType): number {
  const quotient = Math.fround(x / scale);
  const moved = Math.fround(nearest(quotient) + zero);
  const { min, max } = dtypeInfo(dtype);
  return Number.isNaN(moved) ? 0 : Math.min(Math.max(moved, Number(min)), Number(max));
}

/** In float64, adding 0.5 to a float32 with a fraction is exact. */
const nearest = (x: number): number =>
  Number.isInteger(x) || !Number.isFinite(x) ? x : Math.sign(x) * Math.floor(Math.abs(x) + 0.5);

/** The tensor of each element's number. */
export function eachElement(
  x: Tensor,
  dtype: DType,
  memory: Memory,
  compute: (value: number, element: number) => number,
): Tensor {
  const values = loadNumbers(x, memory);
  const results = numberBuffer(dtype, values.length, memory);
  for (let i = 0; i < values.length; i++) results[i] = compute(values[i] as number, i);
  return finish(results, x.shape, dtype, memory);
}
