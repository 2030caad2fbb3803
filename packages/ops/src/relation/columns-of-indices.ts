/** Index tuples along the first axis of the indices. */
import { isStaticDim, type RelationContext } from '@baton/ir';
import { badExtent } from '../diagnostics.ts';
import { inDomain, type KnownTensor, report } from './known.ts';

/** The number of indices in a tuple; `given` if the type leaves it open. */
export function columnLength(
  indices: KnownTensor,
  given: number | null,
  context: RelationContext,
): number | undefined {
  if (!inDomain(indices.dtype, 'int', context)) return undefined;
  const dim = indices.shape[0];
  if (dim !== undefined && isStaticDim(dim)) return dim;
  if (dim !== undefined && given !== null) return given;
  return report(context, badExtent('`indices`', 'the size of the first axis must be known'));
}
