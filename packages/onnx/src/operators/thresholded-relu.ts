/** `ThresholdedRelu`: x if it is above α, else 0. */
import { apply, formula } from '../families/formula.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const thresholdedRelu: OnnxOperator = formula(
  'ThresholdedRelu',
  [10, 22],
  { alpha: 1 },
  ({ alpha }, x) => apply('where', [apply('greater', [x, alpha]), x, 0]),
);
