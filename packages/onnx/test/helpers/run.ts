/** The values of an imported function. */
import { orThrow } from '@baton/base';
import { evaluate, type Value } from '@baton/executor';
import { type Func, irModule } from '@baton/ir';
import { standardOps } from '@baton/ops';
import type { Tensor } from '@baton/tensor';

/** The results of a function for these arguments. */
export function run(f: Func, args: ReadonlyArray<Tensor>): ReadonlyArray<Tensor> {
  const m = irModule({ ops: standardOps, functions: new Map([['main', f]]) });
  return tensorsOf(orThrow(evaluate(m, args)));
}

const tensorsOf = (value: Value): ReadonlyArray<Tensor> => {
  if (value._tag === 'Tensor') return [value];
  return value._tag === 'Tuple' ? value.fields.filter((field) => field._tag === 'Tensor') : [];
};
