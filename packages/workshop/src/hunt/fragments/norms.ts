/** Normalizations, as one node and spelled out. */
import { isFloat } from '@baton/tensor';
import { type Builder, computed, dimAt, known, like, sizeOf, type Val } from '../builder.ts';
import {
  binary,
  cast,
  clip,
  divide,
  factor,
  reduce,
  reshape,
  sizeAt,
  unary,
  withScalar,
} from '../calls.ts';
import { type Fragment, fragment } from './fragment.ts';

const lastSize = (x: Val): number | undefined =>
  isFloat(x.dtype) && x.dims.length >= 2 ? sizeOf(x.dims.at(-1)) : undefined;

/** Squares as exporters write them. */
const square = (b: Builder, x: Val): Val =>
  b.draw.chance(0.6)
    ? b.node('Pow', [x, b.scalar(2, x.dtype)], like(x, x.most ** 2))
    : binary(b, 'Mul', x, x);

const layerNorm = fragment('LayerNormalization spelled out', 5, (b, x) => {
  const last = lastSize(x);
  if (last === undefined || x.most > 50) return undefined;
  const isWidened = x.dtype === 'float16' && b.draw.chance(0.6);
  const data = isWidened ? cast(b, x, 'float32') : x;
  const centred = binary(b, 'Sub', data, reduce(b, 'ReduceMean', data, [-1]));
  const variance = reduce(b, 'ReduceMean', square(b, centred), [-1]);
  const eps = data.dtype === 'float16' ? 1e-3 : b.draw.pick([1e-5, 1e-12, 1e-6]);
  const deviation = unary(b, 'Sqrt', withScalar(b, 'Add', variance, eps));
  const normed = divide(b, centred, deviation, last);
  const back = isWidened ? cast(b, normed, 'float16') : normed;
  return binary(
    b,
    'Add',
    binary(b, 'Mul', back, b.weight(x.dtype, [last])),
    b.weight(x.dtype, [last]),
  );
});

const rmsNorm = fragment('RMS normalization spelled out', 4, (b, x) => {
  const last = lastSize(x);
  if (last === undefined || x.most > 50) return undefined;
  const mean = reduce(b, 'ReduceMean', square(b, x), [-1]);
  const root = unary(b, 'Sqrt', withScalar(b, 'Add', mean, x.dtype === 'float16' ? 1e-3 : 1e-6));
  const normed = b.draw.chance(0.5)
    ? divide(b, x, root, last)
    : {
        ...binary(
          b,
          'Mul',
          x,
          b.draw.chance(0.5)
            ? unary(b, 'Reciprocal', root)
            : divide(b, b.scalar(1, x.dtype), root, 1000),
        ),
        most: last,
      };
  return binary(b, 'Mul', normed, b.weight(x.dtype, [last]));
});

const layerNode = fragment('LayerNormalization', 3, (b, x) => {
  const last = lastSize(x);
  if (last === undefined || b.opset < 17) return undefined;
  const dims = [...x.dims.slice(0, -1), known(1)];
  const inner = { dtype: 'float32', dims, most: 100 } as const;
  const hasStatistics = x.dtype === 'float32' && b.draw.chance(0.3);
  const weights = [
    b.weight(x.dtype, [last]),
    b.draw.chance(0.7) ? b.weight(x.dtype, [last]) : undefined,
  ];
  const types = hasStatistics
    ? ([like(x, last), inner, inner] as const)
    : ([like(x, last)] as const);
  return b.nodes('LayerNormalization', [x, ...weights], types, {
    axis: -1,
    epsilon: { float: 1e-5 },
  });
});

const batchNorm = fragment('BatchNormalization', 3, (b, x) => {
  const channels = sizeOf(x.dims[1]);
  if (!isFloat(x.dtype) || channels === undefined || x.dims.length < 2 || x.dtype === 'float16')
    return undefined;
  const vector = (low: number, high: number): Val => b.weight(x.dtype, [channels], { low, high });
  const parts = [vector(0.5, 2), vector(-1, 1), vector(-0.5, 0.5), vector(0.2, 2)];
  return b.node('BatchNormalization', [x, ...parts], like(x, 5 * x.most + 5));
});

const instanceNorm = fragment('InstanceNormalization', 2, (b, x) => {
  const channels = sizeOf(x.dims[1]);
  if (x.dtype !== 'float32' || channels === undefined || x.dims.length < 3) return undefined;
  return b.node(
    'InstanceNormalization',
    [x, b.weight('float32', [channels]), b.weight('float32', [channels])],
    like(x, 50),
  );
});

/** GroupNorm as PyTorch exports it: a reshape around InstanceNormalization. */
const groupNorm = fragment('group normalization', 2, (b, x) => {
  const channels = sizeOf(x.dims[1]);
  const [batch] = x.dims;
  if (
    x.dtype !== 'float32' ||
    channels === undefined ||
    batch === undefined ||
    x.dims.length !== 4 ||
    channels % 2 !== 0
  )
    return undefined;
  const inside = computed((h, w) => (h * w * channels) / 2, dimAt(x, 2), dimAt(x, 3));
  const grouped = reshape(b, x, [0, 2, -1], [batch, known(2), inside]);
  const ones = b.weight('float32', [2], { low: 1, high: 1 });
  const zeros = b.weight('float32', [2], { low: 0, high: 0 });
  const normed = b.node('InstanceNormalization', [grouped, ones, zeros], like(grouped, 50));
  const sizes = b.node('Shape', [x], { dtype: 'int64', dims: [known(4)], most: 100 });
  const back = b.node('Reshape', [normed, sizes], like(x, 50));
  const scaled = binary(b, 'Mul', back, b.weight('float32', [channels, 1, 1]));
  return binary(b, 'Add', scaled, b.weight('float32', [channels, 1, 1]));
});

const unitLength = fragment('unit length', 2, (b, x) => {
  if (lastSize(x) === undefined || x.dtype === 'float16') return undefined;
  const norm = reduce(b, 'ReduceL2', x, [-1]);
  const least = clip(b, norm, 1e-3, 1e6);
  const sizes = b.node('Shape', [x], { dtype: 'int64', dims: [known(x.dims.length)], most: 100 });
  const wide = b.draw.chance(0.5) ? b.node('Expand', [least, sizes], like(x)) : least;
  return divide(b, x, wide, 1);
});

const softmaxSpelled = fragment('softmax spelled out', 3, (b, x) => {
  if (lastSize(x) === undefined || x.most > 100) return undefined;
  const shifted = binary(b, 'Sub', x, reduce(b, 'ReduceMax', x, [-1]));
  const powers = unary(b, 'Exp', shifted, 1);
  return divide(b, powers, reduce(b, 'ReduceSum', powers, [-1]), 1);
});

const softmaxNode = fragment('Softmax', 3, (b, x) => {
  if (!isFloat(x.dtype) || x.dims.length < 2) return undefined;
  const axis = b.opset < 13 ? x.dims.length - 1 : b.draw.int(-x.dims.length, -1);
  return b.node(b.draw.pick(['Softmax', 'LogSoftmax']), [x], like(x, 100), { axis });
});

const squeezeExcite = fragment('gate of means', 2, (b, x) => {
  const channels = sizeOf(x.dims[1]);
  if (x.dtype !== 'float32' || channels === undefined || x.dims.length !== 4) return undefined;
  const mean = b.draw.chance(0.5)
    ? reduce(b, 'ReduceMean', x, [2, 3])
    : b.node('GlobalAveragePool', [x], {
        ...like(x),
        dims: [...x.dims.slice(0, 2), known(1), known(1)],
      });
  const weight = factor(b, 'float32', [channels, channels, 1, 1], channels);
  const gate = unary(b, 'Sigmoid', b.node('Conv', [mean, weight], like(mean, 10)), 1);
  return binary(b, 'Mul', x, gate);
});

/** The mean by a sum and a size that is read. */
const meanBySize = fragment('mean by a size', 2, (b, x) => {
  if (x.dtype !== 'float32' || x.dims.length < 2) return undefined;
  const sum = reduce(b, 'ReduceSum', x, [-1]);
  const count = cast(b, sizeAt(b, x, x.dims.length - 1, true), 'float32');
  return { ...binary(b, 'Div', sum, count), most: x.most };
});

export const normFragments: ReadonlyArray<Fragment> = [
  layerNorm,
  rmsNorm,
  layerNode,
  batchNorm,
  instanceNorm,
  groupNorm,
  unitLength,
  softmaxSpelled,
  softmaxNode,
  squeezeExcite,
  meanBySize,
];
