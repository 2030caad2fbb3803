/** Operators on each element of a tensor. */
import type { Facts } from '../define-op.ts';

export const actsOnElements: Facts<'fusion' | 'kind' | 'domain' | 'scaleAxis'> = {
  fusion: 'elemwise',
  kind: 'elementwise',
  domain: 'any',
  scaleAxis: 'none',
};
