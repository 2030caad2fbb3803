/** What programs of single kernels are made of. */
import type { Random } from '@baton/base';
import type { IRModule } from '@baton/ir';
import { type Shape, shapeSize, type Tensor, tensor } from '@baton/tensor';

/** A program that compiled code computes by one kernel, and its arguments. */
export interface KernelProgram {
  readonly module: IRModule;
  readonly args: ReadonlyArray<Tensor>;
}

export const between = (random: Random, least: number, most: number): number =>
  least + Math.floor(random() * (most - least + 1));

export const oneOf = <A>(random: Random, items: ReadonlyArray<A>): A =>
  items[Math.floor(random() * items.length)] as A;

/** Floats of magnitudes up to a size. */
export function floats(random: Random, shape: Shape, size = 1): Tensor {
  const values = Float32Array.from({ length: shapeSize(shape) }, () => size * (2 * random() - 1));
  return tensor(values, [...shape], 'float32');
}
