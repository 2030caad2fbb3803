/** `Swish`: x · sigmoid(αx). */
import { wideFormula } from '../families/formula.ts';
import { swishOf } from '../families/swish.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const swish: OnnxImporter = wideFormula('Swish', { alpha: 1 }, ({ call, alpha }, x) =>
  swishOf(call, x, alpha),
);
