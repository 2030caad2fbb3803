/** `HardSigmoid`: αx + β, limited to 0 to 1. */
import { hardSigmoidOf } from '../families/activations.ts';
import { formula } from '../families/formula.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const hardSigmoid: OnnxImporter = formula(
  'HardSigmoid',
  { alpha: Math.fround(0.2), beta: 0.5 },
  ({ call, alpha, beta }, x) => hardSigmoidOf(call, x, alpha, beta),
  6,
);
