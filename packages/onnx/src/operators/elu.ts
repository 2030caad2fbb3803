/** `Elu`: x if it is positive, else α(eˣ − 1). */
import { formula } from '../families/formula.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const elu: OnnxOperator = formula('Elu', [6, 22], { alpha: 1 }, ({ call, alpha }, x) => {
  const below = call('multiply', [call('subtract', [call('exp', [x]), 1]), alpha]);
  return call('where', [call('less', [x, 0]), below, x]);
});
