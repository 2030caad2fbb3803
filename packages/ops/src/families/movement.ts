/** Operators that only move and select data, or give it unchanged. */
import { reshapeView } from '@baton/tensor';
import { noFlops } from '../cost.ts';
import type { Facts } from '../define-op.ts';
import { sameOnIntegers } from '../on-integers/rules.ts';
import { standsAlone } from './alone.ts';

/** The common facts of operators that move data; few state another fusion behind these. */
export const movesData: Facts<'cost' | 'fusion' | 'kind' | 'numerics' | 'domain'> = {
  cost: noFlops,
  fusion: 'injective',
  kind: 'movement',
  numerics: 'exact',
  domain: 'any',
};

/** The common facts of operators that give their first argument another shape. */
export const reshapesData: typeof movesData & Facts<'kernel' | 'onIntegers'> = {
  ...movesData,
  onIntegers: sameOnIntegers,
  kernel: (args, _attrs, out) => reshapeView(args.tensor(0), out.shape, out),
};

/** The common facts of operators that give their argument, with a meaning for passes. */
export const givesArgument: Facts<
  'cost' | 'fusion' | 'kind' | 'numerics' | 'domain' | 'scaleAxis'
> = {
  cost: noFlops,
  ...standsAlone,
  numerics: 'exact',
};
