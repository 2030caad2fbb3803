/** Arguments whose values are shapes or bounds, which are known if they are constant. */
import { anyDim, type Dim, isStaticDim, type RelationContext, type Type } from '@baton/ir';
import { readNumber, shapeSize } from '@baton/tensor';
import { badExtent } from '../diagnostics.ts';
import { areFewDims, hasRank, inDomain, report, tensorArg } from './known.ts';

/** The dimensions in a vector of integers: `?` for each unless it is constant. */
export function shapeOperand(
  args: ReadonlyArray<Type>,
  index: number,
  context: RelationContext,
): ReadonlyArray<Dim> | undefined {
  const type = tensorArg(args, index, context);
  if (type === undefined || !inDomain(type.dtype, 'int', context)) return undefined;
  if (!hasRank(type, 'a shape', [1], context)) return undefined;
  const value = context.constant(index);
  if (value === undefined) {
    const length = type.shape[0];
    if (length === undefined || !isStaticDim(length)) {
      return report(context, badExtent('a shape', 'its number of dimensions must be known'));
    }
    return areFewDims(length, context) ? new Array<Dim>(length).fill(anyDim) : undefined;
  }
  if (!areFewDims(shapeSize(value.shape), context)) return undefined;
  const dims = Array.from({ length: shapeSize(value.shape) }, (_, i) => readNumber(value, i));
  const negative = dims.find((dim) => dim < 0);
  if (negative === undefined) return dims;
  return report(context, badExtent('a shape', `dimensions are at least 0, found ${negative}`));
}
