/**
 * Operators of ONNX that are several calls here. Runtimes compute each as one, in float32: squares
 * and sums of float16 leave its range, from 256 and below 2^-12, where the result does not.
 */
import type { Expr } from '@baton/ir';
import { type DType, dtypeInfo, isFloat } from '@baton/tensor';
import type { NodeContext } from '../operator-api/importer.ts';

const ENOUGH_BITS = 32;

/** A value of float16, bfloat16 or a narrower float as float32; others as they are. */
export function widened(context: NodeContext, x: Expr): Expr {
  const dtype = context.dtypeOf(x);
  const isNarrow = isFloat(dtype) && dtypeInfo(dtype).bits < ENOUGH_BITS;
  return isNarrow ? ofType(context, x, 'float32') : x;
}

/** A value as one of another element type. */
export const ofType = (context: NodeContext, x: Expr, dtype: DType): Expr =>
  context.dtypeOf(x) === dtype ? x : context.call('cast', [x], { dtype });

/** What `of` makes of a value, computed in float32 or wider, of the value's own type. */
export function inWide(context: NodeContext, x: Expr, of: (x: Expr) => Expr): Expr {
  return ofType(context, of(widened(context, x)), context.dtypeOf(x));
}
