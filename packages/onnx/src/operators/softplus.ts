/** `Softplus`: log(1 + eˣ). */
import { formula } from '../families/formula.ts';
import { softplusOf } from '../families/softplus.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const softplus: OnnxOperator = formula('Softplus', [1, 22], {}, ({ call }, x) =>
  softplusOf(call, x),
);
