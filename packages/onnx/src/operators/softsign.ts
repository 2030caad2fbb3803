/** `Softsign`: x / (1 + |x|). */
import { softsignOf } from '../families/activations.ts';
import { wideFormula } from '../families/formula.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const softsign: OnnxImporter = wideFormula('Softsign', {}, ({ call }, x) =>
  softsignOf(call, x),
);
