import { formula } from '../families/formula.ts';
import { softplusOf } from '../families/softplus.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `Softplus`: log(1 + eˣ). */
export const softplus: OnnxOperator = formula('Softplus', [1, 22], {}, (_, x) => softplusOf(x));
