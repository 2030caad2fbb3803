/** Operators that sort. */
import type { Type } from '@baton/ir';
import { elementCount } from '../cost.ts';
import type { Formless } from '../define-op.ts';

export const sorts: Formless<'cost'> = {
  kind: 'other',
  cost: sortCost,
  numerics: 'discontinuous',
};

/** The comparisons of a sort of all elements at once: an upper bound for sorting each row. */
function sortCost(args: ReadonlyArray<Type>): number {
  const count = args[0] === undefined ? 0 : elementCount(args[0]);
  return count * Math.ceil(Math.log2(Math.max(count, 2)));
}
