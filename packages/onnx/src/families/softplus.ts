/** log(1 + eˣ), a part of several operators. */
import type { Expr } from '@baton/ir';
import type { MakeCall } from './formula.ts';

/** log(1 + eˣ) as max(x, 0) + log(1 + e^−|x|), which does not overflow. */
export function softplusOf(call: MakeCall, x: Expr): Expr {
  const decay = call('exp', [call('negative', [call('abs', [x])])]);
  return call('add', [call('maximum', [x, 0]), logOfSum(call, decay)]);
}

/** log(1 + x) as log(w) + (x − (w − 1)) / w, where w is 1 + x with what rounding has lost. */
function logOfSum(call: MakeCall, x: Expr): Expr {
  const w = call('add', [x, 1]);
  const lost = call('subtract', [x, call('subtract', [w, 1])]);
  return call('add', [call('log', [w]), call('divide', [lost, w])]);
}
