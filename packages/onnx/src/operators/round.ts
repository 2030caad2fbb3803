/** `Round` to the nearest whole number, halves to the even one. */
import { formula } from '../families/formula.ts';
import { roundedEven } from '../families/rounding.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const round: OnnxOperator = formula('Round', [11, 22], {}, ({ call }, x) =>
  roundedEven(call, x),
);
