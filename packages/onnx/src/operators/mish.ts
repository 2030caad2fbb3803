/** `Mish`: x · tanh(log(1 + eˣ)). */
import { wideFormula } from '../families/formula.ts';
import { softplusOf } from '../families/softplus.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const mish: OnnxImporter = wideFormula('Mish', {}, ({ call }, x) =>
  call('multiply', [x, call('tanh', [softplusOf(call, x)])]),
);
