/** Operators that are kernels of their own. */
import type { Facts } from '../define-op.ts';

/** The common facts of operators with which nothing is fused. */
export const standsAlone: Facts<'fusion' | 'kind' | 'domain' | 'scaleAxis'> = {
  fusion: 'opaque',
  kind: 'other',
  domain: 'any',
  scaleAxis: 'none',
};
