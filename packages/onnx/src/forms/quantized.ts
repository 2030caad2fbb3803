/** The nodes between floats and the integers that stand for them. */
import { type Dim, isStaticDim } from '@baton/ir';
import { type DType, dtypeInfo, isDType, toNumbers } from '@baton/tensor';
import { int } from '../node/attribute-values.ts';
import type { Operand, WriterContext } from '../node/writer.ts';

/** The operator set whose nodes take integers of 16 bits, and the one whose parameters lie along an axis. */
const SINCE = { wide: 21, vectors: 13, bytes: 10 };

/** Whether a node takes these integers, and a scale and a zero point as the call has them. */
export function isQuantized(context: WriterContext, dtype: string, scale: Operand): boolean {
  const { opset } = context;
  const [, zero] = context.inputs.slice(1);
  if (zero === undefined || !isDType(dtype) || context.dtype(scale) !== 'float32') return false;
  const isVector = [scale, zero].some((each) => context.dims(each).length > 0);
  const { bits } = dtypeInfo(dtype);
  const isTaken = bits === 8 ? opset >= SINCE.bytes : bits === 16 && opset >= SINCE.wide;
  const isOpen = [scale, zero].some((each) => !context.dims(each).every(isStaticDim));
  return isTaken && !isOpen && (!isVector || opset >= SINCE.vectors) && holds(dtype, zero);
}

/** Whether a zero point is known to be of the type of the integers, as the node wants it. */
export function holds(dtype: DType, { constant }: Operand): boolean {
  if (constant === undefined) return false;
  const { min, max } = dtypeInfo(dtype);
  return Array.from(toNumbers(constant)).every((zero) => min <= zero && zero <= max);
}

/** `QuantizeLinear` or `DequantizeLinear`, whose zero point has the type of the integers. */
export function quantizationNode(
  context: WriterContext,
  opType: string,
  [x, scale, zero]: readonly [Operand, Operand, Operand],
  dtype: string,
): Operand {
  const axis = context.attrs.int('axis');
  const sizes = [scale, zero].flatMap((each) => context.dims(each));
  const given = sizes.length === 0 || axis === 1 ? {} : { axis: int(axis) };
  const point = context.call('cast', [zero], { dtype });
  const [factor, moved] = [scale, point].map((each) => likeOther(context, each, sizes));
  return context.node(opType, [x, factor, moved], given);
}

/** A number as a vector, if the other parameter is one: both have one shape. */
function likeOther(
  context: WriterContext,
  parameter: Operand,
  sizes: ReadonlyArray<Dim>,
): Operand | undefined {
  const [size] = sizes;
  if (typeof size !== 'number' || context.dims(parameter).length > 0) return parameter;
  return context.call('broadcast_to', [parameter], { shape: [size] });
}
