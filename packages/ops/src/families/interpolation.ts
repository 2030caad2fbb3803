/** Operators that interpolate images. */
import { interpolated } from '../bounds/rules.ts';
import type { OpDefinition } from '../define-op.ts';

/** The common facts of such operators. */
export const interpolates: Pick<
  OpDefinition<unknown>,
  'fusion' | 'kind' | 'numerics' | 'domain' | 'bounds' | 'scaleAxis'
> = {
  fusion: 'injective',
  kind: 'movement',
  numerics: 'smooth',
  domain: 'any',
  bounds: interpolated,
  scaleAxis: 'none',
};
