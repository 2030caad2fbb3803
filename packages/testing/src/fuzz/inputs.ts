/** Small numbers for the parameters of a program. */
import { InvariantError, mulberry32, type Random } from '@baton/base';
import { tupleValue, type Value } from '@baton/executor';
import type { Func, Type } from '@baton/ir';
import { isDType, shapeSize, tensor } from '@baton/tensor';

const FREE_SIZE = 3;

/** Arguments between −4 and 4 for a function of tensors and tuples of tensors. */
export function inputsFor(main: Func, seed: number): ReadonlyArray<Value> {
  const random = mulberry32(seed);
  return main.params.map(({ typeAnnotation }) => inputOf(typeAnnotation, random));
}

/** Generated types nest only a few levels. */
function inputOf(type: Type | undefined, random: Random): Value {
  if (type?._tag === 'TupleType') return tupleValue(type.fields.map((f) => inputOf(f, random)));
  if (type?._tag !== 'TensorType' || '_tag' in type.shape || !isDType(type.dtype)) {
    throw new InvariantError('a parameter is a tensor or a tuple of tensors');
  }
  const shape = type.shape.map((dim) => (typeof dim === 'number' ? dim : FREE_SIZE));
  const numbers = Array.from({ length: shapeSize(shape) }, () => random() * 8 - 4);
  return tensor(numbers, shape, type.dtype);
}
