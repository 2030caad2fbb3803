/** Helpers for operators between floats and their quantized integers. */
import type { Expr } from '@baton/ir';
import type { DType } from '@baton/tensor';
import type { NodeContext } from '../node/operator.ts';
import { elementType, elementTypeName } from '../protobuf/element-type.ts';

/**
 * A scale or zero point in a shape that broadcasts against data of this rank: for all of it, or for
 * each place along an axis; `undefined` after a failure.
 */
export function alongAxis(
  context: NodeContext,
  parameter: Expr,
  rank: number,
  axis: number,
): Expr | undefined {
  const own = context.dimsOf(parameter);
  if (context.hasFailed() || own.length === 0) return parameter;
  if (own.length > 1 || context.attributes.int('block_size', 0) !== 0) {
    return context.fail('ONNX_UNSUPPORTED', 'quantization by blocks is not imported');
  }
  const at = own[0] === 1 && rank === 0 ? 0 : context.axis(axis, rank);
  const newshape = [-1, ...new Array<number>(Math.max(rank - at - 1, 0)).fill(1)];
  return context.call('reshape', [parameter], { newshape });
}

/** The dtype that an attribute names, or `other` for 0; `undefined` after a failure. */
export function namedType(
  context: NodeContext,
  attribute: string,
  other: DType,
): DType | undefined {
  const code = context.attributes.int(attribute, 0);
  const dtype = code === 0 ? other : elementType(code)?.dtype;
  if (dtype !== undefined) return dtype;
  const found = elementTypeName(code);
  return context.fail('ONNX_ELEMENT_TYPE', `expected a type of numbers or bool, found ${found}`);
}

/** A value in a dtype, with a cast if it has another. */
export const asType = (context: NodeContext, value: Expr, dtype: DType): Expr =>
  context.dtypeOf(value) === dtype ? value : context.call('cast', [value], { dtype });
