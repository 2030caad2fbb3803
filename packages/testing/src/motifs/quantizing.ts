/** Networks of floats to quantize, and networks with marks that say how. */
import type { Builder } from '../generate/builder.ts';
import { type Motif, motif } from '../generate/motif.ts';
import type { TensorValue } from '../generate/value.ts';

const MARK = 'relay.op.annotation.simulated_quantize';

/** Quantizes a value, or does not. */
type Mark = (x: TensorValue, isWeight?: boolean) => TensorValue;

const unmarked: Mark = (x) => x;

/** Scales, most of them powers of two. */
const SCALES = [0.0625, 0.0625, 0.03125, 0.25, 0.07, 0.3, 0];

const number = (b: Builder, value: number): TensorValue => b.constant([value], [], 'float32');

const marked =
  (b: Builder): Mark =>
  (x, isWeight = false) => {
    const scale = b.random.pick(SCALES);
    const most = scale === 0 ? 0 : b.random.pick([127, 127, 7]);
    const kind = isWeight ? 2 : b.random.weighted([[6, 1] as const, [1, 3] as const]);
    const parameters = [scale, -most, most].map((value) => number(b, value));
    return b.tensor(MARK, [x, ...parameters], { kind });
  };

/** The marks of some values, and other values as they are. */
const perhaps =
  (b: Builder, mark: Mark): Mark =>
  (x, isWeight) =>
    b.random.chance(0.6) ? mark(x, isWeight) : x;

/** Constants below the next power of two, which is beyond the bounds of its scale. */
const weights = (b: Builder, shape: ReadonlyArray<number>): TensorValue =>
  b.constant(
    Array.from({ length: 7 }, () => b.random.pick([0.9, -0.7, 0.3, 0.1, -0.45, 0])),
    shape,
    'float32',
  );

const SIZES = [1, 2, 4, 4];

const image = (b: Builder, sizes: ReadonlyArray<number>): TensorValue =>
  b.operand({
    rank: [4, 4],
    dtype: 'float32',
    fits: (shape) => shape.every((size, i) => size === sizes[i]),
    fresh: () => sizes,
  });

/** A step of a network from an image to an image. */
type Step = (b: Builder, x: TensorValue, mark: Mark) => TensorValue;

const convolution: Step = (b, x, mark) => {
  const side = b.random.pick([1, 3]);
  const weight = mark(weights(b, [b.random.int(1, 3), x.shape[1] ?? 1, side, side]), true);
  return b.tensor('nn.conv2d', [mark(x), weight], { padding: [(side - 1) / 2, (side - 1) / 2] });
};

const layer: Step = (b, x, mark) => {
  const flat = b.tensor('nn.batch_flatten', [x]);
  const units = b.random.int(1, 3);
  const weight = mark(weights(b, [units, flat.shape[1] ?? 1]), true);
  const sums = b.tensor('nn.dense', [mark(flat), weight]);
  return b.tensor('reshape', [sums], { newshape: [-1, units, 1, 1] });
};

const halved = { pool_size: [2, 2], strides: [2, 2], padding: [1, 1] };

const STEPS: ReadonlyArray<readonly [weight: number, step: Step]> = [
  [8, convolution],
  [2, layer],
  [3, (b, x) => b.tensor('nn.relu', [x])],
  [2, (b, x) => b.tensor('clip', [x], { a_min: b.random.pick([0, -1]), a_max: 6 })],
  [3, (b, x, mark) => b.tensor('add', [x, mark(weights(b, [x.shape[1] ?? 1, 1, 1]), true)])],
  [2, (b, x, mark) => b.tensor('add', [x, perhaps(b, mark)(image(b, x.shape))])],
  [1, (b, x, mark) => b.tensor('add', [mark(x), mark(x)])],
  [2, (b, x, mark) => b.tensor('multiply', [x, mark(weights(b, [x.shape[1] ?? 1, 1, 1]), true)])],
  [1, (b, x) => b.tensor('multiply', [x, x])],
  [2, (b, x) => b.tensor('nn.max_pool2d', [x], halved)],
  [1, (b, x) => b.tensor('nn.avg_pool2d', [x], halved)],
  [1, (b, x) => b.tensor('nn.global_avg_pool2d', [x])],
  [1, (b, x) => b.tensor('transpose', [x], { axes: [0, 1, 3, 2] })],
  [2, (b, x, mark) => b.tensor('concatenate', [b.tuple([x, perhaps(b, mark)(x)])], { axis: 1 })],
  [1, (b, x) => b.tensor('concatenate', [b.tuple([x, image(b, x.shape)])], { axis: 0 })],
  [1, (b, x) => b.tensor('annotation.cast_hint', [x], { dtype: 'int8' })],
  [1, (b, x) => b.tensor('sigmoid', [x])],
];

/** A few steps from an image on, between which values may be marked. */
function network(b: Builder, mark: Mark): TensorValue {
  let x = perhaps(b, mark)(image(b, SIZES));
  const steps = b.random.int(1, 5);
  for (let i = 0; i < steps; i++) {
    x = b.random.weighted(STEPS)(b, x, mark);
    if (b.random.chance(0.3)) x = mark(x);
  }
  return x;
}

export const quantizable: ReadonlyArray<Motif> = [
  motif(1, 'nn.conv2d', (b) => network(b, unmarked)),
];

export const simulations: ReadonlyArray<Motif> = [
  motif(4, MARK, (b) => network(b, marked(b))),
  motif(1, 'nn.conv2d', (b) => network(b, unmarked)),
];
