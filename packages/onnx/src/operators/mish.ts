/** `Mish`: x · tanh(log(1 + eˣ)). */
import { wideFormula } from '../families/formula.ts';
import { softplusOf } from '../families/softplus.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const mish: OnnxOperator = wideFormula('Mish', [18, 22], {}, ({ call }, x) =>
  call('multiply', [x, call('tanh', [softplusOf(call, x)])]),
);
