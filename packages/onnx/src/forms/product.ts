/** Products of matrices. */
import { isFloat } from '@baton/tensor';
import { int } from '../operator-api/attribute-values.ts';
import type { CallContext, Operand } from '../operator-api/exporter.ts';
import { castTo, resultDType } from './types.ts';

/** Whether each side is transposed. */
export interface Transposed {
  readonly a: boolean;
  readonly b: boolean;
}

/**
 * The product of two sides: `Gemm`, which takes a bias, of two matrices of floats, else `MatMul`.
 * The product has the dtype of the result.
 */
export function product(
  context: CallContext,
  a: Operand,
  b: Operand,
  transposed: Transposed,
): Operand {
  const dtype = resultDType(context);
  const [left, right] = [castTo(context, a, dtype), castTo(context, b, dtype)];
  const areMatrices = context.dims(a).length === 2 && context.dims(b).length === 2;
  if (areMatrices && isFloat(dtype)) {
    const flags = { transA: int(transposed.a), transB: int(transposed.b) };
    return context.node('Gemm', [left, right], flags);
  }
  return context.node('MatMul', [
    transposed.a ? withSwappedEnd(context, left) : left,
    transposed.b ? withSwappedEnd(context, right) : right,
  ]);
}

/** The matrices transposed. */
function withSwappedEnd(context: CallContext, x: Operand): Operand {
  const rank = context.dims(x).length;
  const axes = Array.from({ length: rank }, (_, i) => i);
  return context.call('transpose', [x], { axes: [...axes.slice(0, -2), rank - 1, rank - 2] });
}
