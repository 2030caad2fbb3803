/** Operators of ONNX that the exporter does not write, or not with these attributes. */
import { type DType, tensor } from '@baton/tensor';
import type { NodeCase, NodeDraw, NodeDraws } from '../case.ts';
import type { Draw } from '../draw.ts';
import type { OnnxGraph } from '../onnx-graph.ts';

export const only = (result: NodeCase['result'], ulps = 0, scale = 0): NodeCase => ({
  result,
  ulps,
  scale,
});

/** A function of single elements, with attributes between bounds. */
const smooth =
  (opType: string, bounds: Readonly<Record<string, readonly [number, number]>> = {}): NodeDraw =>
  (d, g) => {
    const x = d.reals(d.sparse(), 'float32', -6, 6);
    const attributes = Object.fromEntries(
      Object.entries(bounds).map(([name, [low, high]]) => [
        name,
        { float: low + (d.int(0, 8) / 8) * (high - low) },
      ]),
    );
    return only(g.node(opType, [g.input(x)], attributes), 32, 1);
  };

const reduction =
  (opType: string, ulps: number): NodeDraw =>
  (d, g) => {
    const x = d.reals(d.shape(1, 4), 'float32', 0.1, 3);
    const axes = d.subset(x.shape.length);
    const keepdims = d.int(0, 1);
    return only(g.node(opType, [g.input(x), g.ints(axes)], { keepdims }), ulps, 1);
  };

const variadic =
  (opType: string): NodeDraw =>
  (d, g) => {
    const shape = d.shape();
    const inputs = Array.from({ length: d.int(1, 4) }, () =>
      g.input(
        d.tensor(
          shape.map((size) => (d.chance(0.3) ? 1 : size)),
          'float32',
        ),
      ),
    );
    return only(g.node(opType, inputs), 2, 8);
  };

/** Pools with windows that reach beyond the padding, and begin there: ONNX drops the latter. */
const roundedPool =
  (opType: string, spatial: ReadonlyArray<number>): NodeDraw =>
  (d, g) => {
    const kernel = Array.from({ length: d.pick(spatial) }, () => d.int(1, 3));
    const side = (): ReadonlyArray<number> => kernel.map((k) => d.int(0, k - 1));
    const sizes = kernel.map((k) => k + d.int(0, 5));
    const x = d.reals([d.int(1, 2), d.int(1, 2), ...sizes], 'float32', 0.1, 2);
    const result = g.node(opType, [g.input(x)], {
      kernel_shape: kernel,
      strides: kernel.map(() => d.int(1, 4)),
      pads: [...side(), ...side()],
      ceil_mode: d.int(0, 1),
      ...(opType === 'AveragePool' ? { count_include_pad: d.int(0, 1) } : {}),
      ...(opType === 'LpPool' ? { p: d.int(1, 2) } : {}),
    });
    return only(result, 32, 1);
  };

const WHOLE: ReadonlyArray<DType> = ['float32', 'float64', 'int8', 'uint8', 'int32', 'int64'];

const PLACES = [0, 0, 1, 2, 3, 4, 7, 9, 2 ** 40];

/** A place counted from either end. */
const place = (d: Draw, shape: ReadonlyArray<number>, size: number) =>
  d.tensor(shape, 'int64', { min: -size, max: size - 1 });

const quantized = (d: Draw, g: OnnxGraph) => {
  const dtype = d.pick<DType>(['uint8', 'int8']);
  const scale = g.constant(tensor([d.pick([0.25, 0.5, 1])], [], 'float32'));
  const zero = g.constant(tensor([d.int(0, 5)], [], dtype));
  return { dtype, scale, zero };
};

export const onnxOnly: NodeDraws = {
  CastLike: (d, g) => {
    const x = d.tensor(d.shape(), d.pick(WHOLE), { min: 0 });
    const like = d.tensor(d.shape(), d.pick(WHOLE));
    return only(g.node('CastLike', [g.input(x), g.input(like)]));
  },
  ConstantOfShape: (d, g) => only(g.node('ConstantOfShape', [g.ints(d.shape())])),
  Dropout: (d, g) => only(g.nodes('Dropout', [g.input(d.tensor(d.shape(), 'float32'))], 1)),
  GroupNormalization: (d, g) => {
    const groups = d.int(1, 3);
    const channels = groups * d.int(1, 3);
    const x = d.reals([d.dim(), channels, ...d.shape(1, 2)], 'float32', -3, 3);
    const vector = (): string => g.input(d.reals([channels], 'float32', -3, 3));
    const attributes = { num_groups: groups, epsilon: { float: 2 ** -d.int(4, 8) } };
    return only(g.node('GroupNormalization', [g.input(x), vector(), vector()], attributes), 256, 8);
  },
  Round: (d, g) => only(g.node('Round', [g.input(d.tensor(d.shape(), 'float32', { step: 0.25 }))])),
  AveragePool: roundedPool('AveragePool', [1, 2, 3]),
  MaxPool: roundedPool('MaxPool', [1, 2, 3]),
  Celu: smooth('Celu', { alpha: [0.5, 2] }),
  Elu: smooth('Elu', { alpha: [0.5, 2] }),
  Gelu: smooth('Gelu'),
  HardSigmoid: smooth('HardSigmoid', { alpha: [0.1, 0.5], beta: [0, 1] }),
  HardSwish: smooth('HardSwish'),
  Mish: smooth('Mish'),
  Selu: smooth('Selu', { alpha: [1, 2], gamma: [1, 2] }),
  Shrink: smooth('Shrink', { lambd: [0, 2], bias: [0, 1] }),
  Softplus: smooth('Softplus'),
  Softsign: smooth('Softsign'),
  ThresholdedRelu: smooth('ThresholdedRelu', { alpha: [0, 2] }),
  ReduceL1: reduction('ReduceL1', 16),
  ReduceL2: reduction('ReduceL2', 16),
  ReduceLogSum: reduction('ReduceLogSum', 16),
  ReduceLogSumExp: reduction('ReduceLogSumExp', 16),
  ReduceSumSquare: reduction('ReduceSumSquare', 16),
  Sum: variadic('Sum'),
  Mean: variadic('Mean'),
  Max: variadic('Max'),
  Min: variadic('Min'),
  Gemm: (d, g) => {
    const [m, k, n] = [d.dim(), d.dim(), d.dim()];
    const [transA, transB] = [d.int(0, 1), d.int(0, 1)];
    const a = g.input(d.tensor(transA === 1 ? [k, m] : [m, k], 'float32'));
    const b = g.input(d.tensor(transB === 1 ? [n, k] : [k, n], 'float32'));
    const c = g.input(d.tensor(d.pick([[n], [1], [1, n], [m, 1], [m, n], []]), 'float32'));
    const factors = { alpha: { float: d.int(1, 8) / 4 }, beta: { float: d.int(1, 8) / 4 } };
    return only(g.node('Gemm', [a, b, c], { transA, transB, ...factors }));
  },
  Slice: (d, g) => {
    // Bounds in either order, far beyond the axis, and both counted from one end.
    const x = d.tensor(d.sparse(1, 3), 'float32');
    const axes = d.subset(x.shape.length);
    const fromEnd = axes.map(() => d.chance(0.5));
    const bounds = (): ReadonlyArray<number> =>
      axes.map((_, i) => (fromEnd[i] === true ? -d.pick(PLACES) - 1 : d.pick(PLACES)));
    const steps = axes.map(() => d.pick([-2, -1, 1, 1, 2, 3]));
    const lists = [bounds(), bounds(), axes, steps].map((list) => g.ints(list));
    return only(g.node('Slice', [g.input(x), ...lists]));
  },
  Gather: (d, g) => {
    const x = d.tensor(d.shape(1, 3), 'float32');
    const axis = d.int(-x.shape.length, x.shape.length - 1);
    const at = place(d, d.shape(0, 2), x.shape.at(axis) ?? 1);
    return only(g.node('Gather', [g.input(x), g.input(at)], { axis }));
  },
  GatherElements: (d, g) => {
    const x = d.tensor(d.shape(1, 3), 'float32');
    const axis = d.int(0, x.shape.length - 1);
    const shape = x.shape.map((size, i) => (i === axis ? d.dim() : d.int(1, size)));
    const at = place(d, shape, x.shape[axis] ?? 1);
    return only(g.node('GatherElements', [g.input(x), g.input(at)], { axis }));
  },
  OneHot: (d, g) => {
    const depth = d.int(1, 5);
    const at = place(d, d.shape(1, 2), depth);
    const axis = d.int(-1, at.shape.length);
    const inputs = [g.input(at), g.ints([depth]), g.input(d.tensor([2], 'float32'))];
    return only(g.node('OneHot', inputs, { axis }));
  },
  Hardmax: (d, g) => {
    const x = d.distinct(d.shape(1, 3), 'float32');
    const axis = d.int(-x.shape.length, x.shape.length - 1);
    return only(g.node('Hardmax', [g.input(x)], { axis }));
  },
  LpNormalization: (d, g) => {
    const x = d.reals(d.shape(1, 3), 'float32', 0.5, 3);
    const axis = d.int(-x.shape.length, x.shape.length - 1);
    return only(g.node('LpNormalization', [g.input(x)], { axis, p: d.int(1, 2) }), 16, 1);
  },
  MeanVarianceNormalization: (d, g) => {
    const x = d.reals([d.int(2, 4), d.dim(), d.int(2, 4), d.int(2, 4)], 'float32', -3, 3);
    return only(g.node('MeanVarianceNormalization', [g.input(x)]), 256, 8);
  },
  LpPool: roundedPool('LpPool', [1, 2, 3]),
  Flatten: (d, g) => {
    const x = d.tensor(d.shape(1, 4), 'float32');
    return only(g.node('Flatten', [g.input(x)], { axis: d.int(-x.shape.length, x.shape.length) }));
  },
  QuantizeLinear: (d, g) => {
    const { scale, zero } = quantized(d, g);
    const x = d.tensor(d.shape(), 'float32', { min: -100, max: 100 });
    return only(g.node('QuantizeLinear', [g.input(x), scale, zero]));
  },
  DequantizeLinear: (d, g) => {
    const { dtype, scale, zero } = quantized(d, g);
    const x = d.tensor(d.shape(), dtype, { extreme: true });
    return only(g.node('DequantizeLinear', [g.input(x), scale, zero]));
  },
};
