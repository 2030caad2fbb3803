/** `Selu`: γx if x is positive, else γα(eˣ − 1). */
import { apply, formula } from '../families/formula.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const selu: OnnxOperator = formula(
  'Selu',
  [6, 22],
  { alpha: Math.fround(1.6732631921768188), gamma: Math.fround(1.0507010221481323) },
  ({ alpha, gamma }, x) => {
    const below = apply('multiply', [apply('subtract', [apply('exp', [x]), 1]), alpha]);
    return apply('multiply', [apply('where', [apply('less', [x, 0]), below, x]), gamma]);
  },
);
