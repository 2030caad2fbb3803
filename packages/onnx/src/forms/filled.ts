/** Tensors filled with one number. */
import { isStaticDim, tensorType } from '@baton/ir';
import { scalar } from '@baton/tensor';
import type { CallContext, Operand } from '../operator-api/exporter.ts';
import { resultDims, resultDType } from './types.ts';

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

/** A tensor of the shape of `like`, filled with a scalar of its dtype. */
export const filledLike = (context: CallContext, like: Operand, fill: Operand): Operand =>
  context.node('Expand', [fill, shapeTensor(context, like)]);

/** The shape of a tensor as a list of int64. */
export function shapeTensor(context: CallContext, x: Operand): Operand {
  const dims = context.dims(x);
  const sizes = dims.filter(isStaticDim);
  if (sizes.length === dims.length) return context.ints(sizes);
  return context.node('Shape', [x], {}, tensorType([dims.length], 'int64'));
}
