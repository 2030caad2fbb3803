/** `Celu`: x if it is positive, else α(e^(x/α) − 1). */
import { apply, formula } from '../families/formula.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const celu: OnnxOperator = formula('Celu', [12, 28], { alpha: 1 }, ({ alpha }, x) => {
  const below = apply('multiply', [
    apply('subtract', [apply('exp', [apply('divide', [x, alpha])]), 1]),
    alpha,
  ]);
  return apply('where', [apply('less', [x, 0]), below, x]);
});
