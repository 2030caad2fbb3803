/** Operators on single elements. */
import type { DType, Tensor } from '@baton/tensor';
import type { Numbers } from '../draw.ts';
import type { Case, Mapping, Mappings } from '../mapping.ts';
import type { OnnxGraph } from '../onnx-graph.ts';

const FLOATS: ReadonlyArray<DType> = ['float32', 'float64'];
const NUMBERS: ReadonlyArray<DType> = ['float32', 'float64', 'int32', 'int64'];
const INTEGERS: ReadonlyArray<DType> = ['int8', 'uint8', 'int32', 'uint32', 'int64', 'uint64'];
const EVERY: ReadonlyArray<DType> = [...FLOATS, ...INTEGERS, 'int16', 'uint16'];

type Nodes = (g: OnnxGraph, x: string, t: Tensor) => string;

const node =
  (opType: string): Nodes =>
  (g, x) =>
    g.node(opType, [x]);

/** Equal to the last bit: on a grid, with the special numbers. */
const exact =
  (
    nodes: Nodes,
    dtypes: ReadonlyArray<DType>,
    numbers: Numbers = { special: true, extreme: true },
  ): Mapping =>
  (d, g) => {
    const x = d.tensor(d.sparse(), d.pick(dtypes), numbers);
    return { args: [x], result: nodes(g, g.input(x), x) };
  };

/** Within some units in the last place, of the result or of `scale`, whichever is larger. */
const smooth =
  (
    nodes: Nodes,
    dtypes: ReadonlyArray<DType>,
    range: readonly [number, number],
    ulps: number,
    scale?: number,
  ): Mapping =>
  (d, g) => {
    const x = d.reals(d.sparse(), d.pick(dtypes), range[0], range[1]);
    const result = nodes(g, g.input(x), x);
    return scale === undefined ? { args: [x], result, ulps } : { args: [x], result, ulps, scale };
  };

const unary: Mappings = {
  abs: exact(node('Abs'), EVERY),
  acos: smooth(node('Acos'), ['float32'], [-1, 1], 4),
  acosh: smooth(node('Acosh'), ['float32'], [1, 50], 8, 1),
  asin: smooth(node('Asin'), ['float32'], [-1, 1], 4),
  asinh: smooth(node('Asinh'), ['float32'], [-50, 50], 8, 1),
  atan: smooth(node('Atan'), ['float32'], [-50, 50], 4),
  atanh: smooth(node('Atanh'), ['float32'], [-0.99, 0.99], 8, 1),
  bitwise_not: exact(node('BitwiseNot'), INTEGERS),
  ceil: exact(node('Ceil'), FLOATS),
  copy: exact(node('Identity'), EVERY),
  cos: smooth(node('Cos'), ['float32'], [-50, 50], 4, 1),
  cosh: smooth(node('Cosh'), ['float32'], [-20, 20], 8),
  erf: smooth(node('Erf'), ['float32'], [-4, 4], 8, 1),
  exp: smooth(node('Exp'), FLOATS, [-20, 20], 8),
  floor: exact(node('Floor'), FLOATS),
  isfinite: exact(
    (g, x) => g.node('Not', [g.node('Or', [g.node('IsNaN', [x]), g.node('IsInf', [x])])]),
    FLOATS,
  ),
  isinf: exact(node('IsInf'), FLOATS),
  isnan: exact(node('IsNaN'), FLOATS),
  log: smooth(node('Log'), FLOATS, [0.001, 50], 4, 1),
  log10: smooth((g, x, t) => logarithm(g, x, t, 10), FLOATS, [0.001, 50], 8, 1),
  log2: smooth((g, x, t) => logarithm(g, x, t, 2), FLOATS, [0.001, 50], 8, 1),
  logical_not: exact(node('Not'), ['bool']),
  negative: exact(node('Neg'), [...FLOATS, 'int8', 'int32', 'int64']),
  'nn.relu': exact(node('Relu'), [...FLOATS, 'int8', 'int32']),
  rint: exact(node('Round'), FLOATS, { step: 0.25 }),
  // Halves away from 0, where ONNX rounds them to even.
  round: exact(
    (g, x, t) => {
      const size = g.node('Add', [g.node('Abs', [x]), g.scalar(0.5, t.dtype)]);
      return g.node('Mul', [g.node('Sign', [x]), g.node('Floor', [size])]);
    },
    FLOATS,
    { step: 0.25 },
  ),
  rsqrt: smooth((g, x) => g.node('Reciprocal', [g.node('Sqrt', [x])]), FLOATS, [0.001, 50], 4),
  sigmoid: smooth(node('Sigmoid'), FLOATS, [-15, 15], 8, 1),
  sign: exact(node('Sign'), EVERY, {}),
  sin: smooth(node('Sin'), FLOATS, [-50, 50], 4, 1),
  sinh: smooth(node('Sinh'), ['float32'], [-20, 20], 8, 1),
  sqrt: smooth(node('Sqrt'), FLOATS, [0, 50], 1),
  tan: smooth(node('Tan'), ['float32'], [-1.5, 1.5], 8, 1),
  tanh: smooth(node('Tanh'), FLOATS, [-10, 10], 8, 1),
  trunc: exact(
    (g, x) => g.node('Mul', [g.node('Sign', [x]), g.node('Floor', [g.node('Abs', [x])])]),
    FLOATS,
    {},
  ),
  zeros_like: exact((g, x, t) => filledLike(g, x, 0, t), EVERY),
  ones_like: exact((g, x, t) => filledLike(g, x, 1, t), EVERY),
  'annotation.stop_fusion': exact(node('Identity'), EVERY),
};

function logarithm(g: OnnxGraph, x: string, { dtype }: Tensor, base: number): string {
  return g.node('Div', [g.node('Log', [x]), g.scalar(Math.log(base), dtype)]);
}

const filledLike = (g: OnnxGraph, x: string, value: number, { dtype }: Tensor): string =>
  g.node('Expand', [g.scalar(value, dtype), g.node('Shape', [x])]);

type Binary = (g: OnnxGraph, a: string, b: string, t: Tensor) => string;

const op =
  (opType: string, attributes: Readonly<Record<string, number | string>> = {}): Binary =>
  (g, a, b) =>
    g.node(opType, [a, b], attributes);

/** Two tensors that broadcast; equal to the last bit. */
const binary =
  (nodes: Binary, dtypes: ReadonlyArray<DType>, left: Numbers = {}, right = left): Mapping =>
  (d, g) => {
    const dtype = d.pick(dtypes);
    const [first, second] = d.broadcasting();
    const a = d.tensor(first, dtype, left);
    const b = d.tensor(second, dtype, right);
    return { args: [a, b], result: nodes(g, g.input(a), g.input(b), a) };
  };

const SPECIAL: Numbers = { special: true, extreme: true };
const NON_ZERO: Numbers = { nonZero: true };

const binaries: Mappings = {
  add: binary(op('Add'), NUMBERS, SPECIAL),
  subtract: binary(op('Sub'), NUMBERS, SPECIAL),
  multiply: binary(op('Mul'), NUMBERS, SPECIAL),
  divide: binary(op('Div'), NUMBERS, {}, NON_ZERO),
  floor_divide: binary((g, a, b) => g.node('Floor', [g.node('Div', [a, b])]), FLOATS, {}, NON_ZERO),
  trunc_divide: binary(op('Div'), ['int32', 'int64'], {}, NON_ZERO),
  floor_mod: binary(op('Mod'), INTEGERS, {}, NON_ZERO),
  trunc_mod: binary(op('Mod', { fmod: 1 }), NUMBERS, {}, NON_ZERO),
  mod: binary(op('Mod', { fmod: 1 }), NUMBERS, {}, NON_ZERO),
  power: (d, g) => {
    if (d.chance(0.3)) {
      const whole = d.pick<DType>(['int32', 'int64']);
      return binary(op('Pow'), [whole], { min: -5, max: 5 }, { min: 0, max: 6 })(d, g);
    }
    const dtype = d.pick(FLOATS);
    const [first, second] = d.broadcasting();
    const a = d.reals(first, dtype, 0.1, 5);
    const b = d.tensor(second, dtype, { min: -4, max: 4, step: 0.5 });
    return { args: [a, b], result: g.node('Pow', [g.input(a), g.input(b)]), ulps: 8 };
  },
  maximum: binary(op('Max'), NUMBERS, SPECIAL),
  minimum: binary(op('Min'), NUMBERS, SPECIAL),
  equal: binary(op('Equal'), [...NUMBERS, 'bool'], SPECIAL),
  not_equal: binary((g, a, b) => g.node('Not', [g.node('Equal', [a, b])]), NUMBERS, SPECIAL),
  less: binary(op('Less'), NUMBERS, SPECIAL),
  less_equal: binary(op('LessOrEqual'), NUMBERS, SPECIAL),
  greater: binary(op('Greater'), NUMBERS, SPECIAL),
  greater_equal: binary(op('GreaterOrEqual'), NUMBERS, SPECIAL),
  logical_and: binary(op('And'), ['bool']),
  logical_or: binary(op('Or'), ['bool']),
  logical_xor: binary(op('Xor'), ['bool']),
  bitwise_and: binary(op('BitwiseAnd'), INTEGERS, SPECIAL),
  bitwise_or: binary(op('BitwiseOr'), INTEGERS, SPECIAL),
  bitwise_xor: binary(op('BitwiseXor'), INTEGERS, SPECIAL),
  left_shift: binary(
    op('BitShift', { direction: 'LEFT' }),
    ['uint8', 'uint32', 'uint64'],
    {},
    { max: 7 },
  ),
  right_shift: binary(
    op('BitShift', { direction: 'RIGHT' }),
    ['uint8', 'uint32', 'uint64'],
    { max: 200 },
    { max: 7 },
  ),
};

/** Whole numbers near the ends of their types wrap, so the numbers stay small enough to convert. */
const CASTS: ReadonlyArray<DType> = [...EVERY, 'bool', 'float16'];

const isWhole = (dtype: DType): boolean => dtype.includes('int');

const others: Mappings = {
  cast: (d, g) => {
    const to = d.pick(CASTS);
    const from = d.pick(CASTS);
    const numbers = to.startsWith('uint') ? { min: 0 } : {};
    const x = d.tensor(d.sparse(), from, { ...numbers, extreme: isWhole(to) && isWhole(from) });
    return { args: [x], attrs: { dtype: to }, result: g.cast(g.input(x), to) };
  },
  cast_like: (d, g) => {
    const to = d.pick(EVERY);
    const x = d.tensor(d.shape(), d.pick(EVERY), { min: 0 });
    const like = d.tensor(d.shape(), to);
    return { args: [x, like], result: g.node('CastLike', [g.input(x), g.input(like)]) };
  },
  clip: (d, g) => {
    const x = d.tensor(d.shape(), d.pick([...FLOATS, 'int32', 'int64', 'int8', 'uint8']));
    const [low, high] = [d.int(0, 3), d.int(3, 6)];
    const bounds = [g.scalar(low, x.dtype), g.scalar(high, x.dtype)];
    const result = g.node('Clip', [g.input(x), ...bounds]);
    return { args: [x], attrs: { a_min: low, a_max: high }, result };
  },
  'nn.leaky_relu': (d, g) => {
    const alpha = d.int(-8, 8) / 8;
    const x = d.tensor(d.shape(), 'float32');
    const result = g.node('LeakyRelu', [g.input(x)], { alpha: { float: alpha } });
    return { args: [x], attrs: { alpha }, result };
  },
  'nn.prelu': (d, g) => {
    const x = d.tensor(d.shape(1, 4), 'float32');
    const axis = d.int(0, x.shape.length - 1);
    const size = x.shape[axis] ?? 1;
    const alpha = d.tensor([size], 'float32');
    const slope = [size, ...x.shape.slice(axis + 1).map(() => 1)];
    const shaped = g.node('Reshape', [g.input(alpha), g.ints(slope)]);
    return { args: [x, alpha], attrs: { axis }, result: g.node('PRelu', [g.input(x), shaped]) };
  },
  where: (d, g) => {
    const dtype = d.pick<DType>(['float32', 'int32', 'int64', 'uint8']);
    const [first, second] = d.broadcasting();
    const a = d.tensor(first, dtype, SPECIAL);
    const b = d.tensor(second, dtype, SPECIAL);
    const condition = d.tensor(d.chance(0.5) ? first : second, 'bool');
    const inputs = [condition, a, b].map((t) => g.input(t));
    return { args: [condition, a, b], result: g.node('Where', inputs) };
  },
  'nn.dropout': (d, g): Case => {
    const x = d.tensor(d.shape(), d.pick(FLOATS));
    const result = g.nodes('Dropout', [g.input(x)], 1);
    return { args: [x], attrs: { rate: d.int(1, 7) / 8 }, result };
  },
};

/** Operators on single elements. */
export const elementwise: Mappings = { ...unary, ...binaries, ...others };
