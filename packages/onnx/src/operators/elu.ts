/** `Elu`: x if it is positive, else α(eˣ − 1). */
import { eluOf } from '../families/activations.ts';
import { wideFormula } from '../families/formula.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const elu: OnnxImporter = wideFormula(
  'Elu',
  { alpha: 1 },
  ({ call, alpha }, x) => eluOf(call, x, alpha, 0),
  6,
);
