/** Operators that interpolate images. */
import { interpolated } from '../bounds/rules.ts';
import type { Facts } from '../define-op.ts';

export const interpolates: Facts<
  'fusion' | 'kind' | 'numerics' | 'domain' | 'bounds' | 'scaleAxis'
> = {
  fusion: 'injective',
  kind: 'movement',
  numerics: 'smooth',
  domain: 'any',
  bounds: interpolated,
  scaleAxis: 'none',
};
