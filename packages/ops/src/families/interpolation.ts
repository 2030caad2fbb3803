/** Operators that interpolate images. */
import { interpolated } from '../bounds/rules.ts';
import type { Formless } from '../define-op.ts';

export const interpolates: Formless<'bounds'> = {
  kind: 'movement',
  numerics: 'smooth',
  bounds: interpolated,
};
