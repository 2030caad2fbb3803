/** Operators that only move and select data, or return it unchanged. */
import { noFlops } from '../cost.ts';
import type { Facts } from '../define-op.ts';
import { reshapeForm, sameForm } from '../form/views.ts';
import { sameOnIntegers } from '../on-integers/rules.ts';
import { standsAlone } from './alone.ts';

/** A few operators override the fusion pattern. */
export const movesData: Facts<'cost' | 'fusion' | 'kind' | 'numerics' | 'domain'> = {
  cost: noFlops,
  fusion: 'injective',
  kind: 'movement',
  numerics: 'exact',
  domain: 'any',
};

export const reshapesData: typeof movesData & Facts<'kernel' | 'form' | 'onIntegers'> = {
  ...movesData,
  onIntegers: sameOnIntegers,
  form: reshapeForm(),
  kernel: 'form',
};

export const givesArgument: Facts<
  'cost' | 'fusion' | 'kind' | 'numerics' | 'domain' | 'scaleAxis' | 'form'
> = {
  cost: noFlops,
  ...standsAlone,
  numerics: 'exact',
  form: sameForm,
};
