/** The first elements of each row in order: sorting, and choosing the largest. */
import { isStaticDim, tensorType } from '@baton/ir';
import { int } from '../operator-api/attribute-values.ts';
import type { CallContext, Operand } from '../operator-api/exporter.ts';
import { fromFront } from './types.ts';

/**
 * The first `count` elements along an axis in order, or all, and their places as int64. Equal
 * elements keep their order.
 */
export function inOrder(
  context: CallContext,
  x: Operand,
  given: { readonly axis: number; readonly ascending: boolean; readonly count: number | undefined },
): readonly [values: Operand, places: Operand] | undefined {
  const dims = context.dims(x);
  const axis = fromFront(given.axis, dims.length);
  const size = given.count ?? dims[axis];
  if (size === undefined || !isStaticDim(size)) {
    return context.unknown('expected a known size of the sorted axis');
  }
  const shape = dims.map((dim, i) => (i === axis ? size : dim));
  const [values, places] = context.nodeOf(
    'TopK',
    [x, context.ints([size])],
    { axis: int(axis), largest: int(!given.ascending), sorted: int(1) },
    [tensorType(shape, x.type.dtype), tensorType(shape, 'int64')],
  );
  return values === undefined || places === undefined ? undefined : [values, places];
}
