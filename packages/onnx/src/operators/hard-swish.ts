/** `HardSwish`: x times x/6 + 1/2, limited to 0 to 1. */
import { wideFormula } from '../families/formula.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const hardSwish: OnnxImporter = wideFormula('HardSwish', {}, ({ call }, x) => {
  const line = call('add', [call('multiply', [x, 1 / 6]), 0.5]);
  return call('multiply', [x, call('clip', [line], { a_min: 0, a_max: 1 })]);
});
