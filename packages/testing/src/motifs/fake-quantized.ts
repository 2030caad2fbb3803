/** Regions between integers that are computed on the real numbers which they represent. */
import type { Builder } from '../generate/builder.ts';
import { type Motif, motif } from '../generate/motif.ts';
import type { TensorValue } from '../generate/value.ts';
import { scale, zero } from './quantized.ts';

/** The real numbers of integers: made of floats, and back. */
const real = (b: Builder, sizes: ReadonlyArray<number>): TensorValue => {
  const parameters = [scale(b), zero(b)];
  const x = b.operand({
    rank: [sizes.length, sizes.length],
    dtype: 'float32',
    fits: (shape) => shape.every((size, i) => size === sizes[i]),
    fresh: () => sizes,
  });
  const there = b.tensor('qnn.quantize', [x, ...parameters], { out_dtype: 'int8' });
  return b.tensor('qnn.dequantize', [there, ...parameters]);
};

/** The weight of a product, with a scale for each of its outputs or one for all. */
const realWeight = (b: Builder, shape: ReadonlyArray<number>): TensorValue => {
  const outputs = b.random.chance(0.5) ? shape[0] : undefined;
  return b.tensor('qnn.dequantize', [b.weights(shape, 'int8'), scale(b, outputs), zero(b)], {
    axis: outputs === undefined ? -1 : 0,
  });
};

/** Steps of a region from reals to reals. */
const STEPS: ReadonlyArray<(b: Builder, x: TensorValue) => TensorValue> = [
  (b, x) => b.tensor('nn.dense', [x, realWeight(b, [b.random.int(1, 4), x.shape[1] ?? 1])]),
  (b, x) => b.tensor('nn.relu', [x]),
  (b, x) => b.tensor('clip', [x], { a_min: 0, a_max: b.random.pick([1, 6]) }),
  (b, x) => b.tensor('add', [x, real(b, x.shape)]),
  (b, x) => b.tensor('multiply', [x, b.constant([b.random.pick([0.5, 0.3])], [], 'float32')]),
  (b, x) => b.tensor('subtract', [x, b.constant([b.random.pick([0.5, 30])], [], 'float32')]),
  (b, x) => b.tensor('maximum', [x, x]),
  (b, x) => b.tensor('transpose', [x], { axes: [1, 0] }),
  (b, x) => b.tensor('mean', [x], { axis: [0], keepdims: true }),
  (b, x) => b.tensor('tanh', [x]),
  (b, x) => b.tensor('concatenate', [b.tuple([x, x])], { axis: 0 }),
  (b, x) => b.tensor('sin', [x]),
];

/** A region between integers: a few steps on real numbers. */
const region = (b: Builder): TensorValue => {
  let x = real(b, [b.random.int(1, 3), 4]);
  const steps = b.random.int(0, 3);
  for (let i = 0; i < steps; i++) x = b.random.pick(STEPS)(b, x);
  const attrs = { out_dtype: b.random.pick(['int8', 'uint8']) };
  return b.tensor('qnn.quantize', [x, scale(b), zero(b)], attrs);
};

export const fakeQuantizations: ReadonlyArray<Motif> = [motif(1, 'qnn.dequantize', region)];
