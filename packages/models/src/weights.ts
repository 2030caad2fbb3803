/** Weights that are identical on every machine: each tensor has its own seed. */
import { fnv1a32, mulberry32 } from '@baton/base';
import { shapeSize, type Tensor, tensor } from '@baton/tensor';

/** Uniform in [lo, hi), float32, row-major; `name` seeds it. */
export function uniform(
  name: string,
  shape: ReadonlyArray<number>,
  lo: number,
  hi: number,
): Tensor {
  const next = mulberry32(fnv1a32(name));
  const data = new Float32Array(shapeSize(shape));
  for (let i = 0; i < data.length; i++) data[i] = lo + (hi - lo) * next();
  return tensor(data, shape, 'float32');
}

/**
 * The bound of Kaiming He's uniform initialization for layers followed by a ReLU: activations
 * keep their variance through any number of layers.
 *
 * **Source** He et al., Delving Deep into Rectifiers, 2015.
 */
export const heBound = (fanIn: number): number => Math.sqrt(6 / fanIn);
