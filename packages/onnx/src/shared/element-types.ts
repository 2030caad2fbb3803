/** Casts, and types made from others. */

import { type Dim, type Expr, type TensorType, tensorType } from '@baton/ir';
import { type DType, dtypeInfo, isFloat } from '@baton/tensor';
import type { CallContext, OnnxExporter, Operand } from '../operator-api/exporter.ts';
import type { NodeContext } from '../operator-api/importer.ts';
import { cast } from './words.ts';

const ENOUGH_BITS = 32;

/** A value of float16, bfloat16 or a narrower float as float32; others as they are. */
export function widened(context: NodeContext, x: Expr): Expr {
  const dtype = context.dtypeOf(x);
  const isNarrow = isFloat(dtype) && dtypeInfo(dtype).bits < ENOUGH_BITS;
  return isNarrow ? ofType(context, x, 'float32') : x;
}

export const ofType = (context: NodeContext, x: Expr, dtype: DType): Expr =>
  context.dtypeOf(x) === dtype ? x : cast(context, x, dtype);

/** What `of` makes of a value, computed in float32 or wider, of the value's own type. */
export function inWide(context: NodeContext, x: Expr, of: (x: Expr) => Expr): Expr {
  return ofType(context, of(widened(context, x)), context.dtypeOf(x));
}

export const castTo = (context: CallContext, x: Operand, dtype: DType): Operand =>
  context.dtype(x) === dtype ? x : cast(context, x, dtype);

export const withDType = ({ shape }: TensorType, dtype: DType): TensorType =>
  tensorType(shape, dtype);

export const resultDType = (context: CallContext): DType =>
  (context.results[0]?.dtype ?? 'float32') as DType;

export const resultDims = ({ results }: CallContext): ReadonlyArray<Dim> => {
  const shape = results[0]?.shape;
  return shape === undefined || '_tag' in shape ? [] : shape;
};

/** An axis counted from the front. */
export const fromFront = (axis: number, rank: number): number => (axis < 0 ? axis + rank : axis);

/**
 * The writer of a formula of tensors with one result, which 16-bit floats pass in float32 between
 * casts: in float16 the square of 256 is infinite, and the square of 2^-13 is 0. `isFormula` tells whether
 * the operator is written as a formula; a node computes as it likes.
 */
export const inFloat32 = (
  { op, write }: OnnxExporter,
  isFormula: (context: CallContext) => boolean = () => true,
): OnnxExporter => ({
  op,
  write: (context) => {
    const dtype = context.dtype(context.input(0));
    if (!/float16$/.test(dtype) || !isFormula(context)) return write(context);
    const wide = context.inputs.map((x) => castTo(context, x, 'float32'));
    return castTo(context, context.call(op, wide, context.attrs.all), dtype);
  },
});
