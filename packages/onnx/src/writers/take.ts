/** `take`: `Gather`, with indices out of range brought into it first. */

import { isStaticDim } from '@baton/ir';
import { toNumbers } from '@baton/tensor';
import { formula } from '../forms/formula.ts';
import { asIndices } from '../forms/indices.ts';
import { alongOneAxis } from '../forms/one-axis.ts';
import { sizeOf } from '../forms/reshaping.ts';
import { castTo } from '../forms/types.ts';
import { int } from '../operator-api/attribute-values.ts';
import type { CallContext, OnnxExporter, Operand } from '../operator-api/exporter.ts';

export const take: OnnxExporter = formula('take', (context, given, places) => {
  const { attrs } = context;
  if (attrs.int('batch_dims') !== 0) return context.fail('Gather has no batches');
  const { x, axis } = alongOneAxis(context, given);
  const indices = inRange(context, asIndices(context, places), x, axis);
  return indices && context.node('Gather', [x, indices], { axis: int(axis) });
});

/** The indices by the mode of the call. */
function inRange(
  context: CallContext,
  indices: Operand,
  x: Operand,
  axis: number,
): Operand | undefined {
  const mode = context.attrs.text('mode');
  if (mode === 'fast') return indices;
  const size = context.dims(x)[axis] ?? 0;
  const known = indices.constant && toNumbers(indices.constant);
  if (!isStaticDim(size)) {
    // The first place is within every axis that has one.
    if (known?.every((index) => index === 0)) return indices;
    const atRun = castTo(context, sizeOf(context, x, axis), context.dtype(indices));
    if (mode === 'wrap') return context.call('floor_mod', [indices, atRun]);
    const last = context.call('subtract', [atRun, 1]);
    return context.call('minimum', [context.call('maximum', [indices, 0]), last]);
  }
  if (known?.every((index) => index >= 0 && index < size)) return indices;
  return mode === 'wrap'
    ? context.call('floor_mod', [indices, size])
    : context.call('clip', [indices], { a_min: 0, a_max: size - 1 });
}
