/** `Reciprocal`: 1 / x. */
import { formula } from '../families/formula.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const reciprocal: OnnxOperator = formula('Reciprocal', [6, 13], {}, ({ call }, x) =>
  call('divide', [1, x]),
);
