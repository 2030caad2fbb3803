/** `Reciprocal`: 1 / x. */
import { apply, formula } from '../families/formula.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const reciprocal: OnnxOperator = formula('Reciprocal', [6, 13], {}, (_, x) =>
  apply('divide', [1, x]),
);
