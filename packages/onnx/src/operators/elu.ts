/** `Elu`: x if it is positive, else α(eˣ − 1). */
import { eluOf } from '../families/activations.ts';
import { wideFormula } from '../families/formula.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const elu: OnnxOperator = wideFormula('Elu', [6, 22], { alpha: 1 }, ({ call, alpha }, x) =>
  eluOf(call, x, alpha, 0),
);
