/** Sums that undo a broadcast. */
import { isAnyDim } from '@baton/ir';
import type { CallContext, Operand } from '../operator-api/exporter.ts';
import { reshaped } from './reshaping.ts';
import { resultDims } from './types.ts';

/** The data summed over the axes along which the call's result was broadcast. */
export function collapsed(context: CallContext, x: Operand): Operand | undefined {
  const dims = context.dims(x);
  const result = resultDims(context);
  if (result.some(isAnyDim)) {
    return context.unknown('expected a result of known shape');
  }
  const lead = dims.length - result.length;
  const axis = dims.flatMap((dim, i) =>
    i < lead || (result[i - lead] === 1 && dim !== 1) ? [i] : [],
  );
  if (axis.length === 0) return context.node('Identity', [x]);
  return reshaped(context, context.call('sum', [x], { axis, keepdims: true }));
}
