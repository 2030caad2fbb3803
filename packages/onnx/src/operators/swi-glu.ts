/** `SwiGLU`: x · sigmoid(αx), times a gate. */
import { wideFormula } from '../families/formula.ts';
import { swishOf } from '../families/swish.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const swiGlu: OnnxOperator = wideFormula(
  'SwiGLU',
  [28],
  { alpha: 1 },
  ({ call, alpha }, x, y) => call('multiply', [swishOf(call, x, alpha), y]),
);
