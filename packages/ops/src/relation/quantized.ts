/** The arguments of operators on quantized integers. */
import { type Dim, type RelationContext, type Type, tensorType } from '@baton/ir';
import { type DType, isDType } from '@baton/tensor';
import { dtypeDomain } from '../diagnostics.ts';
import {
  dimAt,
  hasRank,
  hasShape,
  inDomain,
  type KnownTensor,
  normalAxis,
  report,
  tensorArg,
  tensorOrFilled,
} from './known.ts';

/** The dtypes of scales, and of data before quantization. */
const REALS: ReadonlyArray<DType> = ['float32', 'float64'];

/** The type of a scale: float32, unless it is known to be float64. */
export function scaleType(
  args: ReadonlyArray<Type>,
  index: number,
  context: RelationContext,
): DType {
  const dtype = tensorArg(args, index, context)?.dtype;
  return REALS.find((real) => real === dtype) ?? 'float32';
}

/** Whether an argument is a scale or zero point: a scalar, or a vector of length `size`. */
function isParameter(
  args: ReadonlyArray<Type>,
  index: number,
  what: string,
  dtype: DType,
  size: Dim | undefined,
  context: RelationContext,
): boolean {
  // If both ranks are possible, or for a scale both dtypes, the argument has to decide.
  const onlyShape = size === undefined && dtype === 'int32' ? [] : undefined;
  const found = tensorOrFilled(args, index, what, onlyShape, dtype, context);
  if (found === undefined) return false;
  const name = `\`${what}\``;
  if (!hasRank(found, name, size === undefined ? [0] : [0, 1], context)) return false;
  return size === undefined || found.shape.length === 0 || hasShape(found, name, [size], context);
}

export interface Parameters {
  readonly name: string;
  readonly scale: number;
  readonly zero: number;
  /** The size of the axis along which they may vary. Default: they are scalars. */
  readonly size?: Dim | undefined;
}

/** Whether the arguments have a scale in float32 or float64, and a zero point in int32. */
export const areParameters = (
  args: ReadonlyArray<Type>,
  { name, scale, zero, size }: Parameters,
  context: RelationContext,
): boolean =>
  isParameter(args, scale, `${name}_scale`, scaleType(args, scale, context), size, context) &&
  isParameter(args, zero, `${name}_zero_point`, 'int32', size, context);

/** The size of an axis; `undefined` for data of rank 0, and after a report. */
export function sizeAlong(
  data: KnownTensor,
  axis: number,
  context: RelationContext,
): Dim | undefined {
  if (data.shape.length === 0) return undefined;
  const at = normalAxis(axis, data.shape.length, context);
  return at === undefined ? undefined : dimAt(data, at);
}

/** The dtypes of quantized integers: those that an int32 can hold. */
export const QUANTIZED: ReadonlyArray<DType> = ['int8', 'uint8', 'int16', 'uint16', 'int32'];

/** Argument `index`, a tensor of quantized integers with a known shape. */
export function integersArg(
  args: ReadonlyArray<Type>,
  index: number,
  context: RelationContext,
): KnownTensor | undefined {
  const data = tensorArg(args, index, context);
  if (data === undefined || !inDomain(data.dtype, 'int', context)) return undefined;
  const { dtype } = data;
  if (typeof dtype !== 'string' || !isDType(dtype) || QUANTIZED.includes(dtype)) return data;
  return report(context, dtypeDomain('a tensor of integers that int32 holds', dtype));
}

export const asSums = ({ shape }: KnownTensor): Type => tensorType(shape, 'int32');
