/** `Mish`: x · tanh(log(1 + eˣ)). */
import { apply, formula } from '../families/formula.ts';
import { softplusOf } from '../families/softplus.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const mish: OnnxOperator = formula('Mish', [18, 22], {}, (_, x) =>
  apply('multiply', [x, apply('tanh', [softplusOf(x)])]),
);
