/** `HardSwish`: x times x/6 + 1/2, limited to 0 to 1. */
import { apply, formula } from '../families/formula.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const hardSwish: OnnxOperator = formula('HardSwish', [14, 22], {}, (_, x) => {
  const line = apply('add', [apply('multiply', [x, 1 / 6]), 0.5]);
  return apply('multiply', [x, apply('clip', [line], { a_min: 0, a_max: 1 })]);
});
