/** `Softplus`: log(1 + eˣ). */
import { wideFormula } from '../families/formula.ts';
import { softplusOf } from '../families/softplus.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const softplus: OnnxOperator = wideFormula('Softplus', [1, 22], {}, ({ call }, x) =>
  softplusOf(call, x),
);
