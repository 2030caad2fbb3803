/** The same elements in another shape. */
import { type Dim, dimsEqual, isAnyDim, isStaticDim } from '@baton/ir';
import { int } from '../node/attribute-values.ts';
import type { Operand, WriterContext } from '../node/writer.ts';
import { resultDims } from './types.ts';

/**
 * The data in the shape of the call's result, of which one dimension may be unknown, or several
 * that stand at the same place in the data.
 */
export function reshaped(context: WriterContext, x: Operand): Operand | undefined {
  const dims = resultDims(context);
  const own = context.dims(x);
  const open = dims.filter((dim) => !isStaticDim(dim));
  const hasZero = dims.includes(0);
  const sizes = dims.map((dim, axis): number | undefined => {
    if (isStaticDim(dim)) return dim;
    if (open.length === 1) return -1;
    return !hasZero && isSame(dim, own[axis]) ? 0 : undefined;
  });
  const known = sizes.filter((size) => size !== undefined);
  if (known.length < sizes.length || (hasZero && known.includes(-1))) {
    return context.unknown('expected at most one unknown dimension in a reshape');
  }
  const attributes = hasZero ? { allowzero: int(1) } : {};
  return context.node('Reshape', [x, context.ints(known)], attributes);
}

/** Whether two dimensions are known to be equal, by their form. */
const isSame = (dim: Dim, other: Dim | undefined): boolean =>
  other !== undefined && !isAnyDim(dim) && dimsEqual(dim, other);

/** A vector along one axis of a tensor of this rank. */
export const alongAxis = (
  context: WriterContext,
  vector: Operand,
  axis: number,
  rank: number,
): Operand =>
  axis === rank - 1
    ? vector
    : context.call('expand_dims', [vector], { axis: 1, num_newaxis: rank - 1 - axis });
