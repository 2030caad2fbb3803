/** `Softsign`: x / (1 + |x|). */
import { softsignOf } from '../families/activations.ts';
import { wideFormula } from '../families/formula.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const softsign: OnnxOperator = wideFormula('Softsign', [1, 22], {}, ({ call }, x) =>
  softsignOf(call, x),
);
