/** Samplers of convolutions and products. */
import type { DType } from '@baton/tensor';
import type { Builder } from '../generate/builder.ts';
import type { TensorValue } from '../generate/value.ts';
import type { Sampler } from './sampler.ts';

/** A weight: a constant most often. */
export function weightOf(
  b: Builder,
  shape: ReadonlyArray<number>,
  dtype: DType = b.float,
): TensorValue {
  return b.random.chance(0.6) ? b.weights(shape, dtype) : b.operand({ shape, dtype });
}

const dense: Sampler = (b, op) => {
  const x = b.operand({ rank: [2, 3] });
  const units = b.random.pick([2, 3, 5]);
  const w = weightOf(b, [units, x.shape[x.shape.length - 1] ?? 1], x.dtype);
  return b.call(op.name, [x, w], b.random.chance(0.5) ? { units } : {});
};

const conv2d: Sampler = (b, op) => {
  const isLast = b.random.chance(0.4);
  const fits = ([n = 0, c = 0, h = 0, w = 0]: ReadonlyArray<number>): boolean =>
    Math.min(n, c, h, w) > 0;
  const x = b.operand({ rank: [4, 4], fits, fresh: () => (isLast ? [2, 5, 7, 3] : [2, 3, 5, 7]) });
  const channels = x.shape[isLast ? 3 : 1] ?? 1;
  const outputs = b.random.pick([2, 3, 5]);
  const depthwise = b.random.chance(0.2);
  const [o, i] = depthwise ? [channels, 1] : [outputs, channels];
  const size = b.random.pick([1, 3]);
  const pads = (size - 1) / 2;
  const w = weightOf(b, isLast ? [size, size, i, o] : [o, i, size, size], x.dtype);
  return b.call(op.name, [x, w], {
    padding: [pads, pads],
    kernel_size: [size, size],
    channels: o,
    groups: depthwise ? channels : 1,
    ...(isLast ? { data_layout: 'NHWC', kernel_layout: 'HWIO' } : {}),
  });
};

/** Samplers by operator. */
export const contractionSamplers: Readonly<Record<string, Sampler>> = {
  'nn.dense': dense,
  'nn.conv2d': conv2d,
};
