/** `Swish`: x · sigmoid(αx). */
import { apply, formula } from '../families/formula.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const swish: OnnxOperator = formula('Swish', [24], { alpha: 1 }, ({ alpha }, x) =>
  apply('multiply', [x, apply('sigmoid', [alpha === 1 ? x : apply('multiply', [x, alpha])])]),
);
