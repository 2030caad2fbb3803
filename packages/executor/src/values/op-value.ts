/** Conversion of values for operators. */
import type { OpValue } from '@baton/ops';
import { ofKind, type Value } from './value.ts';

/** Kernels see tensors and plain lists of them. Tuples of operators are one level deep. */
export function toOpValue(value: Value): OpValue {
  if (value._tag === 'Tensor') return value;
  return ofKind(value, 'Tuple').fields.map((field) => ofKind(field, 'Tensor'));
}
