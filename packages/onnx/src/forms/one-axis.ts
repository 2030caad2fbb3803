/** Operators along one axis: without an axis, along the flattened data. */
import type { CallContext, Operand } from '../operator-api/exporter.ts';
import { fromFront } from './types.ts';

/** The data, flattened if the call states no axis, and the axis from the front. */
export function alongOneAxis(
  context: CallContext,
  given: Operand,
): { readonly x: Operand; readonly axis: number } {
  const rank = context.dims(given).length;
  return context.attrs.value('axis') === null
    ? { x: context.call('reshape', [given], { newshape: [-1] }), axis: 0 }
    : { x: given, axis: fromFront(context.attrs.int('axis'), rank) };
}
