/** `PRelu`: x if it is positive, else x times a slope that broadcasts. */
import { formula } from '../families/formula.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const pRelu: OnnxImporter = formula(
  'PRelu',
  {},
  ({ call }, x, slope) => call('where', [call('less', [x, 0]), call('multiply', [x, slope]), x]),
  7,
);
