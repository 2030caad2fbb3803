/** The same elements in another shape. */
import { type Dim, dimsEqual, isAnyDim, isStaticDim } from '@baton/ir';
import { int } from '../node/attribute-values.ts';
import type { Operand, WriterContext } from '../node/writer.ts';
import { resultDims } from './types.ts';

/**
 * The data in the shape of the call's result. Sizes that are not known are those of the data at the
 * same place, or at another, but for one, which ONNX infers. `copied` names axes that are known to
 * be the data's.
 */
export function reshaped(
  context: WriterContext,
  x: Operand,
  copied: ReadonlyArray<number> = [],
): Operand | undefined {
  const dims = resultDims(context);
  const own = context.dims(x);
  const hasZero = dims.includes(0);
  const isCopied = (dim: Dim, axis: number): boolean =>
    !hasZero && (copied.includes(axis) || isSame(dim, own[axis]));
  const open = dims.filter((dim) => !isStaticDim(dim));
  const others = dims.filter((dim, axis) => !isStaticDim(dim) && !isCopied(dim, axis));
  const isElsewhere = (dim: Dim): boolean => own.some((from) => isSame(dim, from));
  const inferred = others.find((dim) => !isElsewhere(dim)) ?? others[0];
  let isInferred = false;
  const sizes = dims.map((dim, axis): number | Operand | undefined => {
    if (isStaticDim(dim)) return dim;
    if (open.length > 1 && isCopied(dim, axis)) return 0;
    if (!isInferred && !hasZero && (open.length === 1 || dim === inferred)) {
      isInferred = true;
      return -1;
    }
    const from = own.findIndex((other) => isSame(dim, other));
    return from < 0 ? undefined : sizeOf(context, x, from);
  });
  const known = sizes.filter((size) => size !== undefined);
  if (known.length < sizes.length) {
    return context.unknown('expected at most one unknown dimension in a reshape');
  }
  const attributes = hasZero ? { allowzero: int(1) } : {};
  return context.node('Reshape', [x, listOf(context, known)], attributes);
}

/** The size of an axis, as a list of one. */
function sizeOf(context: WriterContext, x: Operand, axis: number): Operand {
  const shape = context.call('shape_of', [x], { dtype: 'int64' });
  return context.call('strided_slice', [shape], { begin: [axis], end: [axis + 1] });
}

/** The list of these numbers and parts. */
function listOf(context: WriterContext, items: ReadonlyArray<number | Operand>): Operand {
  const numbers = items.filter((item) => typeof item === 'number');
  if (numbers.length === items.length) return context.ints(numbers);
  const parts = items.map((item) => (typeof item === 'number' ? context.ints([item]) : item));
  return context.call('concatenate', [parts], { axis: 0 });
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
