/** `ThresholdedRelu`: x if it is above α, else 0. */
import { thresholdedReluOf } from '../families/activations.ts';
import { formula } from '../families/formula.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const thresholdedRelu: OnnxImporter = formula(
  'ThresholdedRelu',
  { alpha: 1 },
  ({ call, alpha }, x) => thresholdedReluOf(call, x, alpha, 0),
);
