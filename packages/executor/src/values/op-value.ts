/** Conversion of values for operators. */
import { invariant } from '@baton/base';
import type { OpValue } from '@baton/ops';
import type { Tensor } from '@baton/tensor';
import type { Value } from './value.ts';

/** Kernels see tensors and plain lists of them. Tuples of operators are one level deep. */
export function toOpValue(value: Value): OpValue {
  if (value._tag === 'Tensor') return value;
  invariant(value._tag === 'Tuple', 'an operator takes tensors and tuples of them');
  return value.fields.map((field): Tensor => {
    invariant(field._tag === 'Tensor', 'a tuple given to an operator holds tensors');
    return field;
  });
}
