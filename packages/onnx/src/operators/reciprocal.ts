/** `Reciprocal`: 1 / x. */
import { formula } from '../families/formula.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const reciprocal: OnnxImporter = formula(
  'Reciprocal',
  {},
  ({ call }, x) => call('divide', [1, x]),
  6,
);
