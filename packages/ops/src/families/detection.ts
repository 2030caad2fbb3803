/** Operators that select boxes. */
import type { RelationContext, Type } from '@baton/ir';
import { isDType, isFloat } from '@baton/tensor';
import { between, hull, ZERO } from '../bounds/bounds.ts';
import { elementCount } from '../cost.ts';
import type { Formless } from '../define-op.ts';
import { badAttr } from '../diagnostics.ts';
import {
  dimAt,
  hasRank,
  inDomain,
  type KnownTensor,
  report,
  tensorArg,
} from '../relation/known.ts';

/** Their results depend on the order of scores. */
export const choosesBoxes: Formless<'cost' | 'bounds'> = {
  kind: 'other',
  cost: ([data]) => (data === undefined ? 0 : elementCount(data) ** 2),
  numerics: 'discontinuous',
  bounds: ([data = ZERO], { result: { dtype } }) =>
    isDType(dtype) && isFloat(dtype) ? hull([data, between(-1, 0, 0)]) : between(-1, 64, 0),
};

export function floatsOfRank(
  args: ReadonlyArray<Type>,
  index: number,
  what: string,
  rank: number,
  context: RelationContext,
): KnownTensor | undefined {
  const found = tensorArg(args, index, context);
  if (found === undefined || !hasRank(found, `\`${what}\``, [rank], context)) return undefined;
  return inDomain(found.dtype, 'float', context) ? found : undefined;
}

/** Whether an argument is a scalar: an integer, or of any dtype. */
export function isNumber(
  args: ReadonlyArray<Type>,
  index: number,
  what: string,
  domain: 'int' | 'float',
  context: RelationContext,
): boolean {
  const found = tensorArg(args, index, context);
  if (found === undefined || !hasRank(found, `\`${what}\``, [0], context)) return false;
  return inDomain(found.dtype, domain, context);
}

/** Whether the rows of boxes have the columns that the attributes name; −1 is none. */
export function hasColumns(
  rows: KnownTensor,
  columns: Readonly<Record<string, number>>,
  context: RelationContext,
): boolean {
  const width = dimAt(rows, 2);
  const [name, column] =
    Object.entries(columns).find(
      ([, at]) => at < -1 || (typeof width === 'number' && at >= width),
    ) ?? [];
  if (name === undefined) return true;
  report(context, badAttr(name, `there is no column ${column}`));
  return false;
}
