/** `PRelu`: x if it is positive, else x times a slope that broadcasts. */
import { formula } from '../families/formula.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const pRelu: OnnxOperator = formula('PRelu', [7, 9, 16], {}, ({ call }, x, slope) =>
  call('where', [call('less', [x, 0]), call('multiply', [x, slope]), x]),
);
