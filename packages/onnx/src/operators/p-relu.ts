/** `PRelu`: x if it is positive, else x times a slope that broadcasts. */
import { apply, formula } from '../families/formula.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const pRelu: OnnxOperator = formula('PRelu', [7, 9, 16], {}, (_, x, slope) =>
  apply('where', [apply('less', [x, 0]), apply('multiply', [x, slope]), x]),
);
