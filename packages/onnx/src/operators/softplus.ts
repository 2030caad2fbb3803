/** `Softplus`: log(1 + eˣ). */
import { wideFormula } from '../families/formula.ts';
import { softplusOf } from '../families/softplus.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const softplus: OnnxImporter = wideFormula('Softplus', {}, ({ call }, x) =>
  softplusOf(call, x),
);
