/** log(1 + eˣ), a part of several operators. */
import { apply, type Formula } from './formula.ts';

/** log(1 + eˣ) as max(x, 0) + log(1 + e^−|x|), which does not overflow. */
export function softplusOf(x: Formula): Formula {
  const decay = apply('exp', [apply('negative', [apply('abs', [x])])]);
  return apply('add', [apply('maximum', [x, 0]), apply('log', [apply('add', [decay, 1])])]);
}
