/**
 * An operator on 16-bit floats computes what it computes on float64, rounded: its parts do not leave
 * the range or the precision of the type where the result does not.
 */
import { cast, type DType, type Tensor, tensor, toNumbers } from '@baton/tensor';
import { describe, expect, test } from 'vitest';
import type { Attribute, GraphParts, NodeParts } from './helpers/encode.ts';
import { imported } from './helpers/import.ts';
import { run } from './helpers/run.ts';

/** A node on data of a shape, and on vectors of parameters. */
interface Subject {
  readonly node: NodeParts;
  readonly data: ReadonlyArray<number>;
  readonly parameters?: Readonly<Record<string, ReadonlyArray<number>>>;
  readonly axes?: ReadonlyArray<number>;
  readonly opset?: number;
  /** Results that are float32 for data of 16 bits: the type of stash. */
  readonly stashed?: ReadonlyArray<number>;
}

const MICROSOFT = 'com.microsoft';

const reduce = (op: string): Subject => ({
  node: { op, in: ['x', 'axes'] },
  data: [3, 4],
  axes: [-1],
  opset: 18,
});

const layer = (out: ReadonlyArray<string>, scale: ReadonlyArray<number>, bias = true): Subject => ({
  node: { op: 'LayerNormalization', in: bias ? ['x', 'w', 'b'] : ['x', 'w'], out },
  data: [3, 4],
  parameters: bias ? { w: scale, b: [4] } : { w: scale },
  opset: 17,
  stashed: out.flatMap((_, i) => (i > 0 ? [i] : [])),
});

const alone = (
  op: string,
  data: ReadonlyArray<number>,
  opset: number,
  attrs: Readonly<Record<string, Attribute>> = {},
): Subject => ({ node: { op, in: ['x'], attrs }, data, opset });

const SUBJECTS: Readonly<Record<string, Subject>> = {
  ...Object.fromEntries(
    [
      ...['ReduceL1', 'ReduceL2', 'ReduceSum', 'ReduceSumSquare', 'ReduceMean', 'ReduceMax'],
      'ReduceLogSumExp',
    ].map((op) => [op, reduce(op)]),
  ),
  'LayerNormalization with a bias': layer(['y'], [4]),
  'LayerNormalization without a bias': layer(['y'], [4], false),
  'LayerNormalization with a scale of rank 2': layer(['y'], [1, 4]),
  'LayerNormalization and its mean': layer(['y', 'mean'], [4]),
  'LayerNormalization, its mean and its deviation': layer(['y', 'mean', 'inverse'], [4], false),
  'LayerNormalization over two axes': {
    ...layer(['y', 'mean', 'inverse'], [3, 4], false),
    node: { op: 'LayerNormalization', in: ['x', 'w'], out: ['y'], attrs: { axis: { i: -2 } } },
    data: [2, 3, 4],
    stashed: [],
  },
  RMSNormalization: {
    node: { op: 'RMSNormalization', in: ['x', 'w'] },
    data: [3, 4],
    parameters: { w: [4] },
    opset: 23,
  },
  GroupNormalization: {
    node: { op: 'GroupNormalization', in: ['x', 'w', 'b'], attrs: { num_groups: { i: 2 } } },
    data: [2, 4, 3],
    parameters: { w: [4], b: [4] },
    opset: 21,
  },
  InstanceNormalization: {
    node: { op: 'InstanceNormalization', in: ['x', 'w', 'b'] },
    data: [2, 3, 4],
    parameters: { w: [3], b: [3] },
  },
  BatchNormalization: {
    node: { op: 'BatchNormalization', in: ['x', 'w', 'b', 'm', 'v'] },
    data: [4, 3],
    parameters: { w: [3], b: [3], m: [3], v: [3] },
    opset: 15,
  },
  'BatchNormalization in training': {
    node: {
      op: 'BatchNormalization',
      in: ['x', 'w', 'b', 'm', 'v'],
      out: ['y'],
      attrs: { training_mode: { i: 1 } },
    },
    data: [4, 3],
    parameters: { w: [3], b: [3], m: [3], v: [3] },
    opset: 15,
  },
  SkipLayerNormalization: {
    node: { op: 'SkipLayerNormalization', domain: MICROSOFT, in: ['x', 's', 'w', 'b'] },
    data: [1, 3, 4],
    parameters: { s: [1, 3, 4], w: [4], b: [4] },
  },
  SkipSimplifiedLayerNormalization: {
    node: { op: 'SkipSimplifiedLayerNormalization', domain: MICROSOFT, in: ['x', 's', 'w'] },
    data: [1, 3, 4],
    parameters: { s: [1, 3, 4], w: [4] },
  },
  MeanVarianceNormalization: alone('MeanVarianceNormalization', [2, 2, 3, 1], 13),
  'LpNormalization by the sum': alone('LpNormalization', [3, 4], 22, { p: { i: 1 } }),
  LpNormalization: alone('LpNormalization', [3, 4], 22),
  LpPool: alone('LpPool', [1, 2, 5], 22, { kernel_shape: { ints: [3] } }),
  GlobalLpPool: alone('GlobalLpPool', [1, 2, 5], 22),
  AveragePool: alone('AveragePool', [1, 2, 5], 22, { kernel_shape: { ints: [3] } }),
  GlobalAveragePool: alone('GlobalAveragePool', [1, 2, 5], 22),
  Softmax: alone('Softmax', [3, 4], 13),
  LogSoftmax: alone('LogSoftmax', [3, 4], 13),
  Softplus: alone('Softplus', [12], 22),
  Mish: alone('Mish', [12], 22),
  Gelu: alone('Gelu', [12], 20),
  'Gelu by tanh': alone('Gelu', [12], 20, { approximate: { s: 'tanh' } }),
  Softsign: alone('Softsign', [12], 22),
  Elu: alone('Elu', [12], 22),
  Celu: alone('Celu', [12], 12, { alpha: { f: 2 } }),
  Selu: alone('Selu', [12], 22),
  Swish: alone('Swish', [12], 24),
  HardSwish: alone('HardSwish', [12], 22),
  FastGelu: { node: { op: 'FastGelu', domain: MICROSOFT, in: ['x'] }, data: [12] },
  'Gelu of contrib': { node: { op: 'Gelu', domain: MICROSOFT, in: ['x'] }, data: [12] },
};

const TYPES = { float64: 11, float16: 10, bfloat16: 16 } as const;

/** A spacing of numbers around 1, and of those around 0. */
const SPACING = {
  float16: { epsilon: 2 ** -10, least: 2 ** -24 },
  bfloat16: { epsilon: 2 ** -7, least: 2 ** -133 },
} as const;

type Narrow = keyof typeof SPACING;

const MAGNITUDES = {
  'numbers near 1': (u: number) => u,
  'numbers whose exponentials lose digits beside 1': (u: number) => 4 * u,
  'numbers whose squares overflow': (u: number) => 700 * u,
  'numbers whose squares vanish': (u: number) => u / 4096,
  'numbers far from 0': (u: number) => 2000 + 8 * u,
} as const;

function graphOf(subject: Subject, type: keyof typeof TYPES): GraphParts {
  const given = { x: subject.data, ...subject.parameters };
  const inputs = Object.entries(given).map(([name, dims]) => ({ name, dims, type: TYPES[type] }));
  const axes = subject.axes === undefined ? [] : [subject.axes];
  const initializers = axes.map((ints) => ({ name: 'axes', dims: [ints.length], ints }));
  return { nodes: [subject.node], inputs, initializers, outputs: subject.node.out ?? ['y'] };
}

/** Numbers of a type, so that both runs see the same. */
function inputsOf(subject: Subject, dtype: Narrow, scale: (u: number) => number) {
  const shapes = [subject.data, ...Object.values(subject.parameters ?? {})];
  return shapes.map((shape, at): Tensor => {
    const length = shape.reduce((a, b) => a * b, 1);
    // Parameters are positive: some are variances.
    const values = Array.from({ length }, (_, i) => {
      const u = Math.sin(5 * i + at + 1);
      return at === 0 ? scale(u) : 0.5 + u * u;
    });
    return cast(tensor(values, shape, 'float64'), dtype);
  });
}

describe.each(Object.keys(SPACING) as ReadonlyArray<Narrow>)('W6: %s', (dtype) => {
  describe.each(Object.entries(MAGNITUDES))('%s', (_, scale) => {
    test.each(Object.entries(SUBJECTS))('%s', (_name, subject) => {
      const { opset = 13, stashed = [] } = subject;
      const inputs = inputsOf(subject, dtype, scale);
      const wide = inputs.map((t) => cast(t, 'float64'));
      const wanted = run(imported(graphOf(subject, 'float64'), { opset }), wide);
      const found = run(imported(graphOf(subject, dtype), { opset }), inputs);
      const types = found.map((_, i): DType => (stashed.includes(i) ? 'float32' : dtype));
      expect(found.map((t) => t.dtype)).toEqual(types);
      for (const [i, t] of found.entries()) {
        const rounded = toNumbers(cast(wanted[i] as Tensor, types[i] as DType));
        const wrong = Array.from(toNumbers(t)).filter((a, k) => !isNear(a, rounded[k], dtype));
        expect(wrong).toEqual([]);
      }
    });
  });
});

/** Few operations round: a handful of spacings. */
function isNear(a: number, b = Number.NaN, dtype: Narrow): boolean {
  const { epsilon, least } = SPACING[dtype];
  return Object.is(a, b) || Math.abs(a - b) <= 4 * epsilon * Math.abs(b) + 8 * least;
}
