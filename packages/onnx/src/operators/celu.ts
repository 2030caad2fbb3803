/** `Celu`: x if it is positive, else α(e^(x/α) − 1). */
import { wideFormula } from '../families/formula.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const celu: OnnxImporter = wideFormula('Celu', { alpha: 1 }, ({ call, alpha }, x) => {
  const below = call('multiply', [
    call('subtract', [call('exp', [call('divide', [x, alpha])]), 1]),
    alpha,
  ]);
  return call('where', [call('less', [x, 0]), below, x]);
});
