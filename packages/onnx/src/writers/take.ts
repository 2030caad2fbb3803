/** `take`: `Gather`, with indices out of range brought into it first. */

import { type Dim, isStaticDim } from '@baton/ir';
import { toNumbers } from '@baton/tensor';
import { formula } from '../forms/formula.ts';
import { asIndices } from '../forms/indices.ts';
import { alongOneAxis } from '../forms/one-axis.ts';
import { int } from '../node/attribute-values.ts';
import type { OnnxWriter, Operand, WriterContext } from '../node/writer.ts';

export const take: OnnxWriter = formula('take', (context, given, places) => {
  const { attrs } = context;
  if (attrs.int('batch_dims') !== 0) return context.fail('Gather has no batches');
  const { x, axis } = alongOneAxis(context, given);
  const indices = inRange(context, asIndices(context, places), context.dims(x)[axis]);
  return indices && context.node('Gather', [x, indices], { axis: int(axis) });
});

/** The indices by the mode of the call. */
function inRange(
  context: WriterContext,
  indices: Operand,
  size: Dim | undefined,
): Operand | undefined {
  const mode = context.attrs.text('mode');
  if (mode === 'fast') return indices;
  if (size === undefined || !isStaticDim(size)) {
    return context.unknown('expected a known size of the axis');
  }
  const known = indices.constant && toNumbers(indices.constant);
  if (known?.every((index) => index >= 0 && index < size)) return indices;
  return mode === 'wrap'
    ? context.call('floor_mod', [indices, size])
    : context.call('clip', [indices], { a_min: 0, a_max: size - 1 });
}
