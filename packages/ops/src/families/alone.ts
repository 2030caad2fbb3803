/** Operators that fuse with nothing. */
import type { Facts } from '../define-op.ts';

export const standsAlone: Facts<'fusion' | 'kind' | 'domain' | 'scaleAxis'> = {
  fusion: 'opaque',
  kind: 'other',
  domain: 'any',
  scaleAxis: 'none',
};
