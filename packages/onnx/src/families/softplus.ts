/** log(1 + eˣ), a part of several operators. */
import type { Expr } from '@baton/ir';
import type { MakeCall } from './formula.ts';

/** log(1 + eˣ) as max(x, 0) + log(1 + e^−|x|), which does not overflow. */
export function softplusOf(call: MakeCall, x: Expr): Expr {
  const decay = call('exp', [call('negative', [call('abs', [x])])]);
  return call('add', [call('maximum', [x, 0]), call('log', [call('add', [decay, 1])])]);
}
