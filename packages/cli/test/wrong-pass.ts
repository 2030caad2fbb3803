/** A pass that changes what programs compute, for the commands that find it. */
import { constant, func } from '@baton/ir';
import { callOp } from '@baton/ops';
import { full } from '@baton/tensor';
import { ok, pass, withFunctions } from 'batonjs';

export const wrong = pass({
  name: 'Wrong',
  doc: 'Adds one.',
  level: 0,
  run: (m) => {
    const main = m.functions.get('main');
    if (main === undefined) return ok(m);
    const one = constant(full([], 'float32', 1));
    const made = func(main.params, callOp(m.ops, 'add', [main.body, one]), { attrs: main.attrs });
    return ok(withFunctions(m, new Map([['main', made]])));
  },
});
