/** Normalizations, softmaxes, losses and approximations. */
import { type DType, type Tensor, tensor } from '@baton/tensor';
import type { Draw } from '../draw.ts';
import type { Mapping, Mappings } from '../mapping.ts';
import type { OnnxGraph } from '../onnx-graph.ts';

const FLOATS: ReadonlyArray<DType> = ['float32', 'float64'];

/** Sums of many products of numbers near 1: a few dozen roundings. */
const ULPS = 64;

const reals = (d: Draw, shape: ReadonlyArray<number>, dtype: DType): Tensor =>
  d.reals(shape, dtype, -3, 3);

/**
 * Scale and shift along an axis, and their replacements if they are left out. The epsilon is large
 * enough to show, and to keep nearly equal numbers from becoming noise.
 */
function affine(d: Draw, g: OnnxGraph, size: number, dtype: DType) {
  const [gamma, beta] = [reals(d, [size], dtype), reals(d, [size], dtype)];
  const [center, scale] = [d.chance(0.7), d.chance(0.7)];
  const filled = (value: number): string =>
    g.constant(tensor(new Array<number>(size).fill(value), [size], dtype));
  return {
    gamma,
    beta,
    attrs: { center, scale, epsilon: 2 ** -d.int(4, 8) },
    inputs: [scale ? g.input(gamma) : filled(1), center ? g.input(beta) : filled(0)],
  };
}

/** The tensor with an axis moved to a place, computed on, and moved back. */
function along(
  g: OnnxGraph,
  x: Tensor,
  axis: number,
  place: number,
  compute: (moved: string) => string,
): string {
  const rest = x.shape.map((_, i) => i).filter((i) => i !== axis);
  const perm = [...rest.slice(0, place), axis, ...rest.slice(place)];
  const back = perm.map((_, i) => perm.indexOf(i));
  const result = compute(g.node('Transpose', [g.input(x)], { perm }));
  return g.node('Transpose', [result], { perm: back });
}

const softmax =
  (opType: string, ulps = 16): Mapping =>
  (d, g) => {
    const x = reals(d, d.shape(1, 4), d.pick(FLOATS));
    const axis = d.int(-x.shape.length, x.shape.length - 1);
    return {
      args: [x],
      attrs: { axis },
      result: g.node(opType, [g.input(x)], { axis }),
      ulps,
      scale: 1,
    };
  };

const fast =
  (opType: string, range: readonly [number, number]): Mapping =>
  (d, g) => {
    const x = d.reals(d.shape(), 'float32', range[0], range[1]);
    return { args: [x], result: g.node(opType, [g.input(x)]), ulps: APPROXIMATION, scale: 1 };
  };

/** An approximation may be off by a part in 10,000. */
const APPROXIMATION = 2 ** 23 / 10_000;

/** Normalizations, softmaxes, losses and approximations. */
export const normalization: Mappings = {
  'nn.softmax': softmax('Softmax'),
  'nn.log_softmax': softmax('LogSoftmax'),
  'nn.fast_softmax': (d, g) => {
    const x = reals(d, d.shape(1, 4), 'float32');
    const axis = d.int(0, x.shape.length - 1);
    const result = g.node('Softmax', [g.input(x)], { axis });
    return { args: [x], attrs: { axis }, result, ulps: APPROXIMATION, scale: 1 };
  },
  fast_exp: fast('Exp', [-8, 0]),
  fast_erf: fast('Erf', [-4, 4]),
  fast_tanh: fast('Tanh', [-8, 8]),
  'nn.batch_norm': (d, g) => {
    const dtype = d.pick(FLOATS);
    const x = reals(d, d.shape(2, 4), dtype);
    const axis = d.int(0, x.shape.length - 1);
    const size = x.shape[axis] ?? 1;
    const { gamma, beta, attrs, inputs } = affine(d, g, size, dtype);
    const mean = reals(d, [size], dtype);
    const variance = d.reals([size], dtype, 0.1, 4);
    const stats = [g.input(mean), g.input(variance)];
    const epsilon = { float: attrs.epsilon };
    const normal = along(g, x, axis, 1, (moved) =>
      g.node('BatchNormalization', [moved, ...inputs, ...stats], { epsilon }),
    );
    return {
      args: [x, gamma, beta, mean, variance],
      attrs: { ...attrs, axis },
      result: [normal, ...stats],
      ulps: ULPS,
      scale: 8,
    };
  },
  'nn.layer_norm': (d, g) => {
    const dtype = d.pick(FLOATS);
    const x = reals(d, d.shape(1, 4), dtype);
    const axis = d.int(0, x.shape.length - 1);
    const { gamma, beta, attrs, inputs } = affine(d, g, x.shape[axis] ?? 1, dtype);
    const last = x.shape.length - 1;
    const result = along(g, x, axis, last, (moved) =>
      g.node('LayerNormalization', [moved, ...inputs], { epsilon: { float: attrs.epsilon } }),
    );
    return { args: [x, gamma, beta], attrs: { ...attrs, axis }, result, ulps: 4 * ULPS, scale: 8 };
  },
  'nn.instance_norm': (d, g) => {
    const x = reals(d, d.shape(3, 4), 'float32');
    const axis = d.int(1, x.shape.length - 1);
    const { gamma, beta, attrs, inputs } = affine(d, g, x.shape[axis] ?? 1, 'float32');
    const result = along(g, x, axis, 1, (moved) =>
      g.node('InstanceNormalization', [moved, ...inputs], { epsilon: { float: attrs.epsilon } }),
    );
    return { args: [x, gamma, beta], attrs: { ...attrs, axis }, result, ulps: 4 * ULPS, scale: 8 };
  },
  'nn.group_norm': (d, g) => {
    const groups = d.int(1, 3);
    const channels = groups * d.int(1, 3);
    const x = reals(d, [d.dim(), channels, ...d.shape(1, 2)], 'float32');
    const { gamma, beta, attrs, inputs } = affine(d, g, channels, 'float32');
    const result = g.node('GroupNormalization', [g.input(x), ...inputs], {
      num_groups: groups,
      epsilon: { float: attrs.epsilon },
    });
    const given = { ...attrs, num_groups: groups };
    return { args: [x, gamma, beta], attrs: given, result, ulps: 4 * ULPS, scale: 8 };
  },
  'nn.l2_normalize': (d, g) => {
    const x = reals(d, d.shape(1, 4), 'float32');
    const axis = d.subset(x.shape.length);
    const eps = d.pick([2 ** -10, 4]);
    const value = g.input(x);
    const squares = g.node('ReduceSumSquare', [value, g.ints(axis)]);
    const size = g.node('Sqrt', [g.node('Max', [squares, g.scalar(eps, 'float32')])]);
    return { args: [x], attrs: { eps, axis }, result: g.node('Div', [value, size]), ulps: 16 };
  },
  'nn.lrn': (d, g) => {
    const x = reals(d, d.shape(4, 4), 'float32');
    const size = d.pick([1, 3, 5]);
    const [alpha, beta, bias] = [d.int(1, 8) / 8, d.int(1, 8) / 8, d.int(1, 4)];
    const result = g.node('LRN', [g.input(x)], {
      size,
      alpha: { float: alpha },
      beta: { float: beta },
      bias: { float: bias },
    });
    return { args: [x], attrs: { size, alpha, beta, bias }, result, ulps: ULPS, scale: 1 };
  },
  'nn.cross_entropy': (d, g) => {
    const shape = [d.dim(), d.dim()];
    const [x, y] = [d.reals(shape, 'float32', 0.05, 1), d.reals(shape, 'float32', 0, 1)];
    const sum = g.node('ReduceSum', [g.node('Mul', [g.input(y), g.node('Log', [g.input(x)])])], {
      keepdims: 0,
    });
    const mean = g.node('Div', [g.node('Neg', [sum]), g.scalar(shape[0] ?? 1, 'float32')]);
    return { args: [x, y], result: mean, ulps: ULPS, scale: 1 };
  },
  'nn.cross_entropy_with_logits': (d, g) => {
    const shape = [d.dim(), d.dim()];
    const [x, y] = [d.tensor(shape, 'float32'), d.tensor(shape, 'float32')];
    const sum = g.node('ReduceSum', [g.node('Mul', [g.input(y), g.input(x)])], { keepdims: 0 });
    const mean = g.node('Div', [g.node('Neg', [sum]), g.scalar(shape[0] ?? 1, 'float32')]);
    return { args: [x, y], result: mean, ulps: 1 };
  },
  'nn.nll_loss': (d, g) => {
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
    const inputs = [predictions, targets, weights].map((t) => g.input(t));
    const result = g.node('NegativeLogLikelihoodLoss', inputs, {
      reduction,
      ignore_index: ignored,
    });
    return {
      args: [predictions, targets, weights],
      attrs: { reduction, ignore_index: ignored },
      result,
      ulps: ULPS,
      scale: 1,
    };
  },
};
