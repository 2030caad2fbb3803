/** What operators compute on. */
import { invariant } from '@baton/base';
import { type TensorType, type TupleType, type Type, tensorType, tupleType } from '@baton/ir';
import { isTensor, type Tensor } from '@baton/tensor';

/** The value of an argument or a result: a tensor, or a tuple of values. */
export type OpValue = Tensor | ReadonlyArray<OpValue>;

/** How deep tuples of operators' values nest: arguments and results are tuples of tensors. */
const MAX_VALUE_DEPTH = 4;

/** The type of a value: every dimension is a number. */
export function typeOfValue(value: OpValue, depth = 0): TensorType | TupleType {
  if (isTensor(value)) return tensorType(value.shape, value.dtype);
  invariant(depth < MAX_VALUE_DEPTH, 'tuples of tensors do not nest deeply');
  return tupleType(value.map((field) => typeOfValue(field, depth + 1)));
}

/** The shape and dtype of a tensor type that says them in full, or `undefined`. */
export function staticTensor(
  type: Type,
): { readonly shape: ReadonlyArray<number>; readonly dtype: Tensor['dtype'] } | undefined {
  if (type._tag !== 'TensorType' || '_tag' in type.shape || typeof type.dtype !== 'string') {
    return undefined;
  }
  const shape = type.shape.filter((dim) => typeof dim === 'number');
  if (shape.length !== type.shape.length) return undefined;
  return { shape, dtype: type.dtype as Tensor['dtype'] };
}
