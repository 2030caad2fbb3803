/** Checks results whose elements come from data that have none. */
import type { Dim, RelationContext } from '@baton/ir';
import { badExtent } from '../diagnostics.ts';
import { report } from './known.ts';

/**
 * Whether an operator that gathers elements along the axes `from` has some to gather for a result
 * of these dimensions; reports if not. A result without elements needs none, and an unknown size
 * may be 0: it is checked at run time.
 */
export function hasElements(
  from: ReadonlyArray<Dim>,
  result: ReadonlyArray<Dim>,
  context: RelationContext,
): boolean {
  if (!from.includes(0) || !result.every((dim) => typeof dim === 'number' && dim > 0)) return true;
  report(context, badExtent('`data`', 'there is nothing to pick from an axis without elements'));
  return false;
}
