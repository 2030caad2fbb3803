/** The type of padded data. */
import {
  addDims,
  type Dim,
  isAnyDim,
  type RelationContext,
  type Type,
  tensorType,
} from '@baton/ir';
import { badAttr, badExtent } from '../diagnostics.ts';
import { type KnownTensor, report } from './known.ts';

/**
 * The type of data padded by `widths`, the attribute `pad_width`; negative ones crop. `refusal`
 * says why an axis cannot have its width, if it cannot.
 */
export function paddedType(
  data: KnownTensor,
  widths: ReadonlyArray<ReadonlyArray<number>>,
  refusal: (dim: Dim, padded: Dim, width: readonly [number, number]) => string | undefined,
  context: RelationContext,
): Type | undefined {
  const rank = data.shape.length;
  if (widths.length !== rank) {
    const message = `expected ${rank} pairs, found ${widths.length}`;
    return report(context, badAttr('pad_width', message));
  }
  const dims: Dim[] = [];
  for (const [axis, [before = 0, after = 0]] of widths.entries()) {
    const dim = data.shape[axis] as Dim;
    const padded = isAnyDim(dim) ? dim : addDims(dim, before + after);
    const refused = refusal(dim, padded, [before, after]);
    if (refused !== undefined) return report(context, badExtent(`axis ${axis}`, refused));
    dims.push(padded);
  }
  return tensorType(dims, data.dtype);
}
