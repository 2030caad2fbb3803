/** Indices and shapes as ONNX takes them. */

import { isStaticDim, tensorType } from '@baton/ir';
import { type DType, fromNumbers, scalar, type Tensor } from '@baton/tensor';
import type { CallContext, Operand } from '../operator-api/exporter.ts';
import { castTo, fromFront, resultDims, resultDType } from './element-types.ts';
import { reshape, transpose } from './words.ts';

export const asIndices = (context: CallContext, x: Operand): Operand =>
  INDEX_DTYPES.includes(context.dtype(x)) ? x : castTo(context, x, 'int64');

const INDEX_DTYPES: ReadonlyArray<DType> = ['int32', 'int64'];

/** Rows of int64 indices from the columns that Relay has. */
export function indexRows(context: CallContext, columns: Operand): Operand {
  const rank = context.dims(columns).length;
  const indices = castTo(context, columns, 'int64');
  const axes = Array.from({ length: rank }, (_, i) => (i + 1) % rank);
  return rank < 2 ? indices : transpose(context, indices, axes);
}

/** The numbers from 0 on, in row-major order. */
export const placesOf = (shape: ReadonlyArray<number>, dtype: DType): Tensor => {
  const length = shape.reduce((size, dim) => size * dim, 1);
  return fromNumbers(
    Float64Array.from({ length }, (_, i) => i),
    shape,
    dtype,
  );
};

/** The data, flattened if the call states no axis, and the axis from the front. */
export function alongOneAxis(
  context: CallContext,
  given: Operand,
): { readonly x: Operand; readonly axis: number } {
  const rank = context.dims(given).length;
  return context.attrs.value('axis') === null
    ? { x: reshape(context, given, [-1]), axis: 0 }
    : { x: given, axis: fromFront(context.attrs.int('axis'), rank) };
}

/** The call's result, if its shape is known. */
export function filled(context: CallContext, value: number): Operand | undefined {
  const shape = resultDims(context).filter(isStaticDim);
  if (shape.length < resultDims(context).length) {
    return context.unknown('expected a tensor of known shape');
  }
  const dtype = resultDType(context);
  const number = context.constant(scalar(value, dtype));
  return shape.length === 0 ? number : context.node('Expand', [number, context.ints(shape)]);
}

export const filledLike = (context: CallContext, like: Operand, fill: Operand): Operand =>
  context.node('Expand', [fill, shapeTensor(context, like)]);

/** The shape of a tensor as a list of int64. */
export function shapeTensor(context: CallContext, x: Operand): Operand {
  const dims = context.dims(x);
  const sizes = dims.filter(isStaticDim);
  if (sizes.length === dims.length) return context.ints(sizes);
  return context.node('Shape', [x], {}, tensorType([dims.length], 'int64'));
}
