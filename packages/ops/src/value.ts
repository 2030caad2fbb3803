/** The values of operators. */
import { foldDag } from '@baton/base';
import { type TensorType, type TupleType, type Type, tensorType, tupleType } from '@baton/ir';
import { isTensor, type Tensor } from '@baton/tensor';

export type OpValue = Tensor | ReadonlyArray<OpValue>;

/**
 * The type of a value, with static dimensions. **Complexity** linear in the distinct tuples,
 * however deep they nest.
 */
export const typeOfValue = (value: OpValue): TensorType | TupleType =>
  isTensor(value) ? tensorType(value.shape, value.dtype) : typeOfTuple(value);

const typeOfTuple = foldDag<OpValue, TensorType | TupleType>(
  (value) => (isTensor(value) ? [] : value),
  (value, get) =>
    isTensor(value) ? tensorType(value.shape, value.dtype) : tupleType(value.map(get)),
);

/** Whether a tensor, or each tensor of a tuple, conforms to a type. Deeper tuples are ignored. */
export function conformsTo(value: OpValue, type: Type): boolean {
  if (isTensor(value)) {
    return (
      type._tag === 'TensorType' &&
      type.dtype === value.dtype &&
      !('_tag' in type.shape) &&
      type.shape.length === value.shape.length &&
      type.shape.every((dim, i) => typeof dim !== 'number' || dim === value.shape[i])
    );
  }
  return (
    type._tag === 'TupleType' &&
    type.fields.length === value.length &&
    value.every((field, i) => {
      const wanted = type.fields[i];
      return wanted !== undefined && (!isTensor(field) || conformsTo(field, wanted));
    })
  );
}

/** `undefined` unless the type is a complete tensor type. */
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
