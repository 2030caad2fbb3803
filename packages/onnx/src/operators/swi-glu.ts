/** `SwiGLU`: x · sigmoid(αx), times a gate. */
import { formula } from '../families/formula.ts';
import { swishOf } from '../families/swish.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const swiGlu: OnnxOperator = formula('SwiGLU', [28], { alpha: 1 }, ({ call, alpha }, x, y) =>
  call('multiply', [swishOf(call, x, alpha), y]),
);
