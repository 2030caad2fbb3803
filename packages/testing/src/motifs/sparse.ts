/** Products with weights that are mostly 0. */
import type { Builder } from '../generate/builder.ts';
import { type Motif, motif } from '../generate/motif.ts';
import type { TensorValue } from '../generate/value.ts';

/** A constant of which most elements are 0; sometimes not. */
function sparseWeight(b: Builder, shape: ReadonlyArray<number>): TensorValue {
  const size = shape.reduce((count, dim) => count * dim, 1);
  const share = b.random.pick([0.05, 0.05, 0.05, 0.6]);
  const numbers = Array.from({ length: size }, () =>
    b.random.chance(share) ? b.random.pick([1, -0.5, 0.25]) : 0,
  );
  return b.constant(numbers, shape, b.float);
}

const layer = (b: Builder): TensorValue => {
  const x = b.operand({
    rank: [2, 2],
    dtype: b.float,
    fresh: () => [2, 6],
    fits: (shape) => b.random.chance(0.2) || (shape[1] ?? 0) % 2 === 0,
  });
  return b.tensor('nn.dense', [x, sparseWeight(b, [b.random.int(1, 6), x.shape[1] ?? 1])]);
};

const convolution = (b: Builder): TensorValue => {
  const x = b.operand({
    rank: [4, 4],
    dtype: b.float,
    fits: (shape) => shape.every((size, axis) => axis === 0 || size > 2),
    fresh: () => [1, 3, 4, 3],
  });
  const isLast = b.random.chance(0.5);
  const side = b.random.pick([1, 3]);
  const inputs = x.shape[isLast ? 3 : 1] ?? 1;
  const outputs = b.random.pick([2, 2, 3, 4]);
  const shape = isLast ? [side, side, inputs, outputs] : [outputs, inputs, side, side];
  const reach = b.random.chance(0.9) ? (side - 1) / 2 : 1;
  return b.tensor('nn.conv2d', [x, sparseWeight(b, shape)], {
    padding: [reach, reach],
    strides: b.random.chance(0.9) ? [1, 1] : [2, 1],
    ...(isLast ? { data_layout: 'NHWC', kernel_layout: 'HWIO' } : {}),
  });
};

export const sparseProducts: ReadonlyArray<Motif> = [
  motif(3, 'nn.dense', layer),
  motif(3, 'nn.conv2d', convolution),
];
