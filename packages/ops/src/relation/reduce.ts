/** Reductions: the reduced axes, and the type of the result. */
import { type RelationContext, type TensorType, type Type, tensorType } from '@baton/ir';
import type { DType } from '@baton/tensor';
import { bool, either, int, list, orNone } from '../attrs/codecs.ts';
import { type AttrsOf, withDefault } from '../attrs/schema.ts';
import { type DTypeDomain, inDomain, normalAxes, tensorArg } from './known.ts';

export const reduceProps = {
  axis: withDefault(orNone(either(int, list(int))), null),
  keepdims: withDefault(bool, false),
  exclude: withDefault(bool, false),
} as const;

export type ReduceAttrs = AttrsOf<typeof reduceProps>;

/** The reduced axes, ascending. The listed axes must be in range. */
export function reducedAxes(attrs: ReduceAttrs, rank: number): ReadonlyArray<number> {
  const all = Array.from({ length: rank }, (_, i) => i);
  if (attrs.axis === null) return all;
  const listed = axisList(attrs.axis).map((axis) => (axis < 0 ? axis + rank : axis));
  return all.filter((axis) => listed.includes(axis) !== attrs.exclude);
}

/** The type of a reduction, by default of the data's dtype. */
export function reduceType(
  args: ReadonlyArray<Type>,
  attrs: ReduceAttrs,
  context: RelationContext,
  domain: DTypeDomain,
  dtype?: DType,
): TensorType | undefined {
  const data = tensorArg(args, 0, context);
  if (data === undefined || !inDomain(data.dtype, domain, context)) return undefined;
  const rank = data.shape.length;
  if (attrs.axis !== null && normalAxes(axisList(attrs.axis), rank, context) === undefined) {
    return undefined;
  }
  const gone = reducedAxes(attrs, rank);
  const shape = attrs.keepdims
    ? data.shape.map((dim, axis) => (gone.includes(axis) ? 1 : dim))
    : data.shape.filter((_, axis) => !gone.includes(axis));
  return tensorType(shape, dtype ?? data.dtype);
}

const axisList = (axis: number | ReadonlyArray<number>): ReadonlyArray<number> =>
  typeof axis === 'number' ? [axis] : axis;
