/** `Swish`: x · sigmoid(αx). */
import { wideFormula } from '../families/formula.ts';
import { swishOf } from '../families/swish.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const swish: OnnxOperator = wideFormula('Swish', [24], { alpha: 1 }, ({ call, alpha }, x) =>
  swishOf(call, x, alpha),
);
