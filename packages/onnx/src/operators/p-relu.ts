import { apply, formula } from '../families/formula.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `PRelu`: x where it is positive, x times a slope that broadcasts elsewhere. */
export const pRelu: OnnxOperator = formula('PRelu', [7, 9, 16], {}, (_, x, slope) =>
  apply('where', [apply('less', [x, 0]), apply('multiply', [x, slope]), x]),
);
