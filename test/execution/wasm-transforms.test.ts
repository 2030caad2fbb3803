/** Convolutions by Winograd's transforms, as an option of the compiled executor. */
import { mulberry32, orThrow } from '@baton/base';
import { interpreter } from '@baton/executor';
import { constant, func, irModule, tensorType, variable } from '@baton/ir';
import { callOp, standardOps } from '@baton/ops';
import { type Tensor, tensor } from '@baton/tensor';
import { makeWasm } from '@baton/wasm';
import { expect, it } from 'vitest';

const random = mulberry32(161);
const numbers = (shape: ReadonlyArray<number>): Tensor => {
  const count = shape.reduce((a, b) => a * b, 1);
  return tensor(
    Float32Array.from({ length: count }, () => 2 * random() - 1),
    shape,
    'float32',
  );
};

it.each([
  [24, 1],
  [42, 2],
])(
  "Winograd's transforms are taken where they are allowed, and change the last bits alone: %d outputs in %d groups",
  (channels, groups) => {
    const x = variable('x', tensorType([1, 16, 13, 14], 'float32'));
    const attrs = { padding: [1, 1], channels, groups, kernel_size: [3, 3] };
    const weight = constant(numbers([channels, 16 / groups, 3, 3]));
    const product = callOp(standardOps, 'nn.conv2d', [x, weight], attrs);
    const main = func([x], callOp(standardOps, 'nn.relu', [product]));
    const m = irModule({ functions: new Map([['main', main]]), ops: standardOps });
    const args = [numbers([1, 16, 13, 14])];
    const [wanted, exact, plain, turned] = [
      interpreter,
      makeWasm({ transforms: true, isExact: true }),
      makeWasm(),
      makeWasm({ transforms: true }),
    ].map((executor) => {
      const value = orThrow(orThrow(executor.prepare(m)).run(args)) as Tensor;
      return value.data as Float32Array;
    }) as [Float32Array, Float32Array, Float32Array, Float32Array];
    const size = Math.max(...wanted);
    const error = (found: Float32Array): number =>
      Math.max(...found.map((value, i) => Math.abs(value - (wanted[i] as number)))) / size;
    expect(error(exact)).toBe(0);
    expect(error(plain)).toBeLessThan(5e-7);
    expect(error(turned)).toBeLessThan(5e-6);
    expect(turned).not.toEqual(plain);
  },
);
