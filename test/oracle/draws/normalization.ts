/** Normalizations, softmaxes, losses and approximations. */
import type { DType, Tensor } from '@baton/tensor';
import type { CaseDraw, CaseDraws } from '../case.ts';
import type { Draw } from '../draw.ts';

const FLOATS: ReadonlyArray<DType> = ['float32', 'float64'];

/** Sums of many products of numbers near 1: a few dozen roundings. */
const ULPS = 64;

const reals = (d: Draw, shape: ReadonlyArray<number>, dtype: DType): Tensor =>
  d.reals(shape, dtype, -3, 3);

/**
 * Scale and shift along an axis, each of them used or not. The epsilon is large enough to show, and
 * to keep nearly equal numbers from becoming noise.
 */
function affine(d: Draw, size: number, dtype: DType) {
  const [gamma, beta] = [reals(d, [size], dtype), reals(d, [size], dtype)];
  const [center, scale] = [d.chance(0.7), d.chance(0.7)];
  return { vectors: [gamma, beta], attrs: { center, scale, epsilon: 2 ** -d.int(4, 8) } };
}

const softmax: CaseDraw = (d) => {
  const x = reals(d, d.shape(1, 4), d.pick(FLOATS));
  const axis = d.int(-x.shape.length, x.shape.length - 1);
  return { args: [x], attrs: { axis }, ulps: 16, scale: 1 };
};

const fast =
  (range: readonly [number, number]): CaseDraw =>
  (d) => ({
    args: [d.reals(d.shape(), 'float32', range[0], range[1])],
    ulps: APPROXIMATION,
    scale: 1,
  });

/** An approximation may be off by a part in 10,000. */
const APPROXIMATION = 2 ** 23 / 10_000;

/** Normalizations, softmaxes, losses and approximations. */
export const normalization: CaseDraws = {
  'nn.softmax': softmax,
  'nn.log_softmax': softmax,
  'nn.fast_softmax': (d) => {
    const x = reals(d, d.shape(1, 4), 'float32');
    const axis = d.int(0, x.shape.length - 1);
    return { args: [x], attrs: { axis }, ulps: APPROXIMATION, scale: 1 };
  },
  fast_exp: fast([-8, 0]),
  fast_erf: fast([-4, 4]),
  fast_tanh: fast([-8, 8]),
  'nn.batch_norm': (d) => {
    const dtype = d.pick(FLOATS);
    const x = reals(d, d.shape(2, 4), dtype);
    const axis = d.int(0, x.shape.length - 1);
    const size = x.shape[axis] ?? 1;
    const { vectors, attrs } = affine(d, size, dtype);
    const mean = reals(d, [size], dtype);
    const variance = d.reals([size], dtype, 0.1, 4);
    return {
      args: [x, ...vectors, mean, variance],
      attrs: { ...attrs, axis },
      ulps: ULPS,
      scale: 8,
    };
  },
  'nn.layer_norm': (d) => {
    const dtype = d.pick(FLOATS);
    const x = reals(d, d.shape(1, 4), dtype);
    const axis = d.int(0, x.shape.length - 1);
    const { vectors, attrs } = affine(d, x.shape[axis] ?? 1, dtype);
    return { args: [x, ...vectors], attrs: { ...attrs, axis }, ulps: 4 * ULPS, scale: 8 };
  },
  'nn.instance_norm': (d) => {
    const x = reals(d, d.shape(3, 4), 'float32');
    const axis = d.int(1, x.shape.length - 1);
    const { vectors, attrs } = affine(d, x.shape[axis] ?? 1, 'float32');
    return { args: [x, ...vectors], attrs: { ...attrs, axis }, ulps: 4 * ULPS, scale: 8 };
  },
  'nn.group_norm': (d) => {
    const groups = d.int(1, 3);
    const channels = groups * d.int(1, 3);
    const x = reals(d, [d.dim(), channels, ...d.shape(1, 2)], 'float32');
    const { vectors, attrs } = affine(d, channels, 'float32');
    const given = { ...attrs, num_groups: groups };
    return { args: [x, ...vectors], attrs: given, ulps: 4 * ULPS, scale: 8 };
  },
  'nn.l2_normalize': (d) => {
    const x = reals(d, d.shape(1, 4), 'float32');
    const axis = d.subset(x.shape.length);
    return { args: [x], attrs: { eps: d.pick([2 ** -10, 4]), axis }, ulps: 16 };
  },
  'nn.lrn': (d) => {
    const x = reals(d, d.shape(4, 4), 'float32');
    const size = d.pick([1, 3, 5]);
    const [alpha, beta, bias] = [d.int(1, 8) / 8, d.int(1, 8) / 8, d.int(1, 4)];
    return { args: [x], attrs: { size, alpha, beta, bias }, ulps: ULPS, scale: 1 };
  },
  'nn.cross_entropy': (d) => {
    const shape = [d.dim(), d.dim()];
    const args = [d.reals(shape, 'float32', 0.05, 1), d.reals(shape, 'float32', 0, 1)];
    return { args, ulps: ULPS, scale: 1 };
  },
  'nn.cross_entropy_with_logits': (d) => {
    const shape = [d.dim(), d.dim()];
    return { args: [d.tensor(shape, 'float32'), d.tensor(shape, 'float32')], ulps: 1 };
  },
  'nn.nll_loss': (d) => {
    const classes = d.int(2, 5);
    const rest = d.shape(0, 1);
    const n = d.dim();
    const predictions = reals(d, [n, classes, ...rest], 'float32');
    const ignored = d.chance(0.5) ? 0 : -100;
    const targets = d.tensor([n, ...rest], 'int64', { min: 0, max: classes - 1 });
    const weights = d.reals([classes], 'float32', 0.5, 2);
    // A mean of no targets is NaN, and runtimes differ in its bits.
    const isEmpty = [...targets.data].every((target) => Number(target) === ignored);
    const reduction = isEmpty ? 'sum' : d.pick(['mean', 'sum', 'none']);
    return {
      args: [predictions, targets, weights],
      attrs: { reduction, ignore_index: ignored },
      ulps: ULPS,
      scale: 1,
    };
  },
};
