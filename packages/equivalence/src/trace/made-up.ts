/** Generated inputs that depend only on a name. */
import { fnv1a32, mulberry32 } from '@baton/base';
import type { Type } from '@baton/ir';
import { cast, isDType, isFloat, type Tensor, tensor } from '@baton/tensor';

export interface MadeUpOptions {
  /** The size of dimensions that the type leaves open. Default: such a type has no tensor. */
  readonly openSize?: number;
  /** Selects other elements for the same name. Default: 0. */
  readonly sample?: number;
}

/**
 * A tensor of a type, whose elements depend only on the name and the sample: floats in [−1, 1),
 * others 0 or 1. `undefined` if the type is not a tensor's, or leaves its shape or dtype open.
 */
export function madeUpTensor(
  type: Type | undefined,
  name: string,
  { openSize, sample = 0 }: MadeUpOptions = {},
): Tensor | undefined {
  const stated = type?._tag === 'TensorType' && !('_tag' in type.shape) ? type.shape : undefined;
  const shape = stated?.map((size) => (typeof size === 'number' ? size : (openSize ?? size)));
  const dtype = type?._tag === 'TensorType' ? type.dtype : undefined;
  const isKnown = shape?.every((size): size is number => typeof size === 'number');
  if (!isKnown || typeof dtype !== 'string' || !isDType(dtype)) return undefined;
  const next = mulberry32(fnv1a32(name) + sample);
  const count = shape.reduce((product, size) => product * size, 1);
  const draw = isFloat(dtype) ? () => 2 * next() - 1 : () => Math.floor(2 * next());
  const data = Float32Array.from({ length: count }, draw);
  return cast(tensor(data, shape, 'float32'), dtype);
}
