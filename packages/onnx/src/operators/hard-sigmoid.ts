/** `HardSigmoid`: αx + β, limited to 0 to 1. */
import { hardSigmoidOf } from '../families/activations.ts';
import { formula } from '../families/formula.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const hardSigmoid: OnnxOperator = formula(
  'HardSigmoid',
  [6, 22],
  { alpha: Math.fround(0.2), beta: 0.5 },
  ({ call, alpha, beta }, x) => hardSigmoidOf(call, x, alpha, beta),
);
