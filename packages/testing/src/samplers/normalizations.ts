/** Samplers of normalizations, biases, and other operators with a vector along one axis. */
import type { Attrs } from '@baton/ir';
import type { Builder } from '../generate/builder.ts';
import { sizeAlong, someAxis } from '../generate/shapes.ts';
import type { TensorValue } from '../generate/value.ts';
import { filledOperand, type Sampler, type Samplers } from './sampler.ts';

/** A tensor with an axis for channels. */
const data = (b: Builder, ranks: readonly [number, number] = [2, 5]): TensorValue =>
  filledOperand(b, ranks, [2, 3, 5, 7]);

const vector = (b: Builder, x: TensorValue, axis: number): TensorValue => {
  const shape = [sizeAlong(x.shape, axis)];
  return b.random.chance(0.6) ? b.weights(shape, x.dtype) : b.operand({ shape, dtype: x.dtype });
};

/** Attributes of all normalizations; an epsilon that is not small shows if it is lost. */
const normalization = (b: Builder, axis: number): Attrs => ({
  axis,
  ...(b.random.chance(0.6) ? { epsilon: b.random.pick([0.125, 0.5, 1e-3]) } : {}),
  center: b.random.chance(0.75),
  scale: b.random.chance(0.75),
});

/** An axis of channels: the default one, the last one, or any. */
const channelAxis = (b: Builder, rank: number): number =>
  b.random.weighted([
    [3, Math.min(1, rank - 1)],
    [2, -1],
    [2, someAxis(b.random, rank)],
  ] as const);

const batchNorm: Sampler = (b, op) => {
  const x = data(b);
  const axis = channelAxis(b, x.shape.length);
  const [gamma, beta, mean] = [vector(b, x, axis), vector(b, x, axis), vector(b, x, axis)];
  const variance = b.random.chance(0.6)
    ? b.constant([0.25, 1, 0.5, 2, 0.125], gamma.shape, x.dtype)
    : b.within(vector(b, x, axis), [0.0625, 256]);
  return b.call(op.name, [x, gamma, beta, mean, variance], normalization(b, axis));
};

/** One pass over the data: mean and variance along the rest. */
const dataNorm =
  (leastRank: number): Sampler =>
  (b, op) => {
    const x = data(b, [leastRank, 5]);
    const rank = x.shape.length;
    const axis = channelAxis(b, rank);
    return b.call(op.name, [x, vector(b, x, axis), vector(b, x, axis)], normalization(b, axis));
  };

const groupNorm: Sampler = (b, op) => {
  const x = b.operand({
    rank: [3, 5],
    fits: (shape) => !shape.includes(0) && shape.some((dim) => dim % 2 === 0),
    fresh: () =>
      b.random.pick([
        [2, 6, 3],
        [1, 4, 3, 5],
        [1, 3, 5, 4],
      ]),
  });
  const rank = x.shape.length;
  // Groups of several channels show how the axis is split.
  const even = x.shape.flatMap((dim, i) => (dim > 2 && dim % 2 === 0 ? [i] : []));
  const some = even.length > 0 && b.random.chance(0.7) ? b.random.pick(even) : undefined;
  const axis = some === undefined ? channelAxis(b, rank) : b.random.pick([some, some, some - rank]);
  const channels = sizeAlong(x.shape, axis);
  const groups = [1, 2, 3, channels].filter((g) => channels % g === 0);
  const attrs = { ...normalization(b, axis), num_groups: b.random.pick(groups) };
  return b.call(op.name, [x, vector(b, x, axis), vector(b, x, axis)], attrs);
};

const l2Normalize: Sampler = (b, op) => {
  const x = data(b);
  const axes = b.random.shuffle(x.shape.map((_, i) => i)).slice(0, b.random.int(1, 2));
  return b.call(op.name, [x], { eps: b.random.pick([0.125, 1e-3]), axis: axes });
};

const lrn: Sampler = (b, op) => {
  const x = data(b, [3, 4]);
  const axis = channelAxis(b, x.shape.length);
  return b.call(op.name, [x], { size: b.random.pick([1, 3]), axis, alpha: 0.25 });
};

/** `nn.bias_add` and `nn.prelu`: the axis counted from either end. */
const alongAxis: Sampler = (b, op) => {
  const x = data(b);
  const axis = channelAxis(b, x.shape.length);
  return b.call(op.name, [x, vector(b, x, axis)], { axis });
};

const dropout: Sampler = (b, op) =>
  b.call(op.name, [data(b)], { rate: b.random.pick([0.5, 0.25]) });

export const normalizationSamplers: Samplers = {
  'nn.batch_norm': batchNorm,
  'nn.layer_norm': dataNorm(2),
  'nn.instance_norm': dataNorm(3),
  'nn.group_norm': groupNorm,
  'nn.l2_normalize': l2Normalize,
  'nn.lrn': lrn,
  'nn.bias_add': alongAxis,
  'nn.dropout': dropout,
};
