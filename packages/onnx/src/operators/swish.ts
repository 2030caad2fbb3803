/** `Swish`: x · sigmoid(αx). */
import { formula } from '../families/formula.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const swish: OnnxOperator = formula('Swish', [24], { alpha: 1 }, ({ call, alpha }, x) =>
  call('multiply', [x, call('sigmoid', [alpha === 1 ? x : call('multiply', [x, alpha])])]),
);
