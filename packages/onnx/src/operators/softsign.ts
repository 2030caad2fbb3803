/** `Softsign`: x / (1 + |x|). */
import { formula } from '../families/formula.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const softsign: OnnxOperator = formula('Softsign', [1, 22], {}, ({ call }, x) =>
  call('divide', [x, call('add', [call('abs', [x]), 1])]),
);
