/** Seeded inputs for the parameters of a program. */
import { fnv1a32, mulberry32 } from '@baton/base';
import type { Func, Type } from '@baton/ir';
import { isDType, isFloat, type Tensor, tensor } from '@baton/tensor';

/** The size of unknown dimensions. */
const UNKNOWN_DIM = 3;

/** A tensor for each parameter: multiples of 1/8 for floats, small integers, either boolean. */
export function inputsFor(
  f: Func,
  seed: string,
  positive: ReadonlyArray<string>,
): ReadonlyArray<Tensor> {
  const random = mulberry32(fnv1a32(seed));
  return f.params.map((param) => {
    const { shape, dtype } = known(param.typeAnnotation);
    const count = shape.reduce((size, dim) => size * dim, 1);
    const values = Array.from({ length: count }, () => {
      const step = Math.floor(random() * 17) - 8;
      if (dtype === 'bool') return step > 0 ? 1 : 0;
      const value = positive.includes(param.nameHint) ? Math.abs(step) + 1 : step;
      return isFloat(dtype) ? value / 8 : value;
    });
    return tensor(values, shape, dtype);
  });
}

function known(type: Type | undefined) {
  if (type?._tag !== 'TensorType' || '_tag' in type.shape) {
    throw new Error('a parameter of a golden program is a tensor');
  }
  const { dtype } = type;
  if (typeof dtype !== 'string' || !isDType(dtype)) throw new Error('its dtype is known');
  return { shape: type.shape.map((dim) => (typeof dim === 'number' ? dim : UNKNOWN_DIM)), dtype };
}
