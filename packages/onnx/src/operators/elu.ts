/** `Elu`: x if it is positive, else α(eˣ − 1). */
import { apply, formula } from '../families/formula.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const elu: OnnxOperator = formula('Elu', [6, 22], { alpha: 1 }, ({ alpha }, x) => {
  const below = apply('multiply', [apply('subtract', [apply('exp', [x]), 1]), alpha]);
  return apply('where', [apply('less', [x, 0]), below, x]);
});
