/** Operators that only move and select data, or give it unchanged. */
import { noFlops } from '../cost.ts';
import type { Facts } from '../define-op.ts';
import { reshapeForm, sameForm } from '../form/views.ts';
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
export const reshapesData: typeof movesData & Facts<'kernel' | 'form' | 'onIntegers'> = {
  ...movesData,
  onIntegers: sameOnIntegers,
  form: reshapeForm(),
  kernel: 'form',
};

/** The common facts of operators that give their argument, with a meaning for passes. */
export const givesArgument: Facts<
  'cost' | 'fusion' | 'kind' | 'numerics' | 'domain' | 'scaleAxis' | 'form'
> = {
  cost: noFlops,
  ...standsAlone,
  numerics: 'exact',
  form: sameForm,
};
