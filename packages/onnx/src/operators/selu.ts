/** `Selu`: γx if x is positive, else γα(eˣ − 1). */
import { wideFormula } from '../families/formula.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const selu: OnnxImporter = wideFormula(
  'Selu',
  { alpha: Math.fround(1.6732631921768188), gamma: Math.fround(1.0507010221481323) },
  ({ call, alpha, gamma }, x) => {
    const below = call('multiply', [call('subtract', [call('exp', [x]), 1]), alpha]);
    return call('multiply', [call('where', [call('less', [x, 0]), below, x]), gamma]);
  },
  6,
);
