/** Relations between types without holes, so that nothing needs solving. */
import type { DTypeTerm, RelationContext } from '@baton/ir';
import { isDType, isFloat } from '@baton/tensor';

export const solvedContext = ({
  constant,
  unify,
  fail,
}: Pick<RelationContext, 'constant' | 'unify' | 'fail'>): RelationContext => ({
  constant,
  unify,
  unifyDTypes: meetDTypes,
  resolve,
  undecided,
  fail,
});

const resolve: RelationContext['resolve'] = (type) => type;
const undecided: RelationContext['undecided'] = () => undefined;

/** The common dtype of two. A relation may introduce a hole to state a class of dtypes. */
export function meetDTypes(a: DTypeTerm, b: DTypeTerm): DTypeTerm | undefined {
  if (a === b) return a;
  if (typeof b !== 'string') return fitsHole(a, b) ? a : undefined;
  return typeof a !== 'string' && fitsHole(b, a) ? b : undefined;
}

function fitsHole(dtype: DTypeTerm, hole: Exclude<DTypeTerm, string>): boolean {
  if (!isDType(dtype) || hole._tag !== 'IncompleteType') return false;
  if (hole.literal === undefined) return true;
  return hole.literal === 'float' ? isFloat(dtype) : dtype !== 'bool';
}
