/** Floats as integers with a scale and a zero point, and sums and products of these. */
import type { DType } from '@baton/tensor';
import type { Builder } from '../generate/builder.ts';
import { type Motif, motif } from '../generate/motif.ts';
import type { TensorValue } from '../generate/value.ts';

const SCALES = [1, 0.5, 0.25, 0.375, 0.7];

/** A scale, or one for each index of an axis. */
export const scale = (b: Builder, size?: number): TensorValue =>
  b.constant(
    Array.from({ length: size ?? 1 }, () => b.random.pick(SCALES)),
    size === undefined ? [] : [size],
    'float32',
  );

/** A zero point, or one for each index of an axis. */
export const zero = (b: Builder, size?: number): TensorValue =>
  b.constant(
    Array.from({ length: size ?? 1 }, () => b.random.int(-3, 3)),
    size === undefined ? [] : [size],
    'int32',
  );

const data = (b: Builder, fresh: ReadonlyArray<number>): TensorValue =>
  b.operand({
    rank: [fresh.length, fresh.length],
    dtype: 'float32',
    fits: (shape) => !shape.includes(0),
    fresh: () => fresh,
  });

const NARROW: ReadonlyArray<DType> = ['int8', 'uint8'];

/** Integers for floats; sometimes with a scale for each index of an axis. */
function quantized(b: Builder, x: TensorValue, dtype = b.random.pick(NARROW)): TensorValue {
  const axis = b.random.chance(0.3) ? b.random.int(0, x.shape.length - 1) : undefined;
  const size = axis === undefined ? undefined : x.shape[axis];
  const parameters = [scale(b, size), zero(b, b.random.chance(0.5) ? size : undefined)];
  return b.tensor('qnn.quantize', [x, ...parameters], { out_dtype: dtype, axis: axis ?? -1 });
}

const there = (b: Builder): TensorValue => quantized(b, data(b, [3, 4]));

const back = (b: Builder): TensorValue => {
  const x = there(b);
  const axis = b.random.chance(0.4) ? 0 : undefined;
  const size = axis === undefined ? undefined : x.shape[axis];
  return b.tensor('qnn.dequantize', [x, scale(b, size), zero(b)], { axis: axis ?? -1 });
};

const other = (b: Builder): TensorValue => {
  const x = quantized(b, data(b, [3, 4]), b.random.pick([...NARROW, 'int32']));
  const size = b.random.chance(0.4) ? x.shape[0] : undefined;
  return b.tensor('qnn.requantize', [x, scale(b, size), zero(b), scale(b), zero(b)], {
    axis: size === undefined ? -1 : 0,
    rounding: b.random.pick(['UPWARD', 'TONEAREST']),
    out_dtype: b.random.pick(NARROW),
  });
};

const layer = (b: Builder): TensorValue => {
  const x = there(b);
  const units = b.random.int(1, 4);
  const points = [zero(b), zero(b, b.random.chance(0.5) ? units : undefined)];
  const weight = b.weights([units, x.shape[1] ?? 1], 'int8');
  return b.tensor('qnn.dense', [x, weight, ...points, scale(b), scale(b)]);
};

const convolution = (b: Builder): TensorValue => {
  const x = quantized(b, data(b, [1, 2, 4, 3]));
  const channels = b.random.int(1, 3);
  const points = [zero(b), zero(b, b.random.chance(0.5) ? channels : undefined)];
  const weight = b.weights([channels, x.shape[1] ?? 1, 1, 3], 'int8');
  return b.tensor('qnn.conv2d', [x, weight, ...points, scale(b), scale(b)], { padding: [1, 1] });
};

const arithmetic = (b: Builder): TensorValue => {
  const x = quantized(b, data(b, [3, 4]), 'int8');
  const y = quantized(b, b.random.chance(0.5) ? data(b, [4]) : data(b, [1, 1]), 'int8');
  const parameters = [x, y, x].flatMap(() => [scale(b), zero(b)]);
  const op = b.random.pick(['qnn.add', 'qnn.subtract', 'qnn.mul']);
  const found = b.attempt(op, [x, y, ...parameters]);
  return typeof found === 'string' || found._tag !== 'Tensor' ? x : found;
};

const FUNCTIONS = [
  'qnn.abs',
  'qnn.erf',
  'qnn.exp',
  'qnn.hardswish',
  'qnn.leaky_relu',
  'qnn.log',
  'qnn.rsqrt',
  'qnn.sigmoid',
  'qnn.sqrt',
  'qnn.tanh',
] as const;

const computed = (b: Builder): TensorValue => {
  const x = quantized(b, data(b, [3, 4]), 'int8');
  const op = b.random.pick(FUNCTIONS);
  const attrs = op === 'qnn.leaky_relu' ? { alpha: b.random.pick([0.25, 0.3]) } : {};
  return b.tensor(op, [x, scale(b), zero(b), scale(b), zero(b)], attrs);
};

const batches = (b: Builder): TensorValue => {
  const x = quantized(b, data(b, [2, 2, 3]));
  const y = b.weights([x.shape[0] ?? 1, b.random.int(1, 3), x.shape[2] ?? 1], 'int8');
  return b.tensor('qnn.batch_matmul', [x, y, zero(b), zero(b), scale(b), scale(b)]);
};

const transposed = (b: Builder): TensorValue => {
  const x = quantized(b, data(b, [1, 2, 3, 2]));
  const channels = b.random.int(1, 3);
  const points = [zero(b), zero(b, b.random.chance(0.5) ? channels : undefined)];
  const weight = b.weights([x.shape[1] ?? 1, channels, 2, 2], 'int8');
  const parameters = [...points, scale(b), scale(b)];
  return b.tensor('qnn.conv2d_transpose', [x, weight, ...parameters], { strides: [2, 1] });
};

const joined = (b: Builder): TensorValue => {
  const first = quantized(b, data(b, [3, 4]), 'int8');
  const count = b.random.int(1, 4);
  const rest = Array.from({ length: count - 1 }, () => b.weights(first.shape, 'int8'));
  const fields = [first, ...rest];
  const parameters = [b.tuple(fields.map(() => scale(b))), b.tuple(fields.map(() => zero(b)))];
  return b.tensor('qnn.concatenate', [b.tuple(fields), ...parameters, scale(b), zero(b)], {
    axis: b.random.int(0, first.shape.length - 1),
  });
};

export const quantizations: ReadonlyArray<Motif> = [
  motif(1, 'qnn.quantize', there),
  motif(2, 'qnn.dequantize', back),
  motif(2, 'qnn.requantize', other),
  motif(2, 'qnn.dense', layer),
  motif(2, 'qnn.conv2d', convolution),
  motif(3, 'qnn.add', arithmetic),
  motif(1, 'qnn.batch_matmul', batches),
  motif(2, 'qnn.conv2d_transpose', transposed),
  motif(3, 'qnn.concatenate', joined),
  motif(8, 'qnn.tanh', computed),
];
