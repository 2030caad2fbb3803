import { apply, formula } from '../families/formula.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `ThresholdedRelu`: x where it is above α, 0 elsewhere. */
export const thresholdedRelu: OnnxOperator = formula(
  'ThresholdedRelu',
  [10, 22],
  { alpha: 1 },
  ({ alpha }, x) => apply('where', [apply('greater', [x, alpha]), x, 0]),
);
