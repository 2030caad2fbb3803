/** `Softsign`: x / (1 + |x|). */
import { apply, formula } from '../families/formula.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const softsign: OnnxOperator = formula('Softsign', [1, 22], {}, (_, x) =>
  apply('divide', [x, apply('add', [apply('abs', [x]), 1])]),
);
