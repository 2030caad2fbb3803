/** Operators on single elements. */
import type { DType } from '@baton/tensor';
import type { CaseDraw, CaseDraws, Tolerance } from '../case.ts';
import type { Numbers } from '../draw.ts';

const FLOATS: ReadonlyArray<DType> = ['float32', 'float64'];
const NUMBERS: ReadonlyArray<DType> = ['float32', 'float64', 'int32', 'int64'];
const INTEGERS: ReadonlyArray<DType> = ['int8', 'uint8', 'int32', 'uint32', 'int64', 'uint64'];
const EVERY: ReadonlyArray<DType> = [...FLOATS, ...INTEGERS, 'int16', 'uint16'];

const SPECIAL: Numbers = { special: true, extreme: true };
const NON_ZERO: Numbers = { nonZero: true };

/** Equal bitwise: on a grid, with the special numbers. */
const exact =
  (dtypes: ReadonlyArray<DType>, numbers: Numbers = SPECIAL): CaseDraw =>
  (d) => ({ args: [d.tensor(d.sparse(), d.pick(dtypes), numbers)] });

/** Within some units in the last place, of the result or of `scale`, whichever is larger. */
const smooth =
  (
    dtypes: ReadonlyArray<DType>,
    range: readonly [number, number],
    ulps: number,
    scale?: number,
  ): CaseDraw =>
  (d) => {
    const x = d.reals(d.sparse(), d.pick(dtypes), range[0], range[1]);
    const tolerance: Tolerance = scale === undefined ? { ulps } : { ulps, scale };
    return { args: [x], ...tolerance };
  };

const unary: CaseDraws = {
  abs: exact(EVERY),
  acos: smooth(['float32'], [-1, 1], 4),
  acosh: smooth(['float32'], [1, 50], 8, 1),
  asin: smooth(['float32'], [-1, 1], 4),
  asinh: smooth(['float32'], [-50, 50], 8, 1),
  atan: smooth(['float32'], [-50, 50], 4),
  atanh: smooth(['float32'], [-0.99, 0.99], 8, 1),
  bitwise_not: exact(INTEGERS),
  ceil: exact(FLOATS),
  copy: exact(EVERY),
  cos: smooth(['float32'], [-50, 50], 4, 1),
  cosh: smooth(['float32'], [-20, 20], 8),
  erf: smooth(['float32'], [-4, 4], 8, 1),
  exp: smooth(FLOATS, [-20, 20], 8),
  floor: exact(FLOATS),
  isfinite: exact(FLOATS),
  isinf: exact(FLOATS),
  isnan: exact(FLOATS),
  log: smooth(FLOATS, [0.001, 50], 4, 1),
  log10: smooth(FLOATS, [0.001, 50], 8, 1),
  log2: smooth(FLOATS, [0.001, 50], 8, 1),
  logical_not: exact(['bool']),
  negative: exact([...FLOATS, 'int8', 'int32', 'int64']),
  'nn.relu': exact([...FLOATS, 'int8', 'int32']),
  rint: exact(FLOATS, { step: 0.25 }),
  round: exact(FLOATS, { step: 0.25 }),
  rsqrt: smooth(FLOATS, [0.001, 50], 4),
  sigmoid: smooth(FLOATS, [-15, 15], 8, 1),
  sign: exact(EVERY, {}),
  sin: smooth(FLOATS, [-50, 50], 4, 1),
  sinh: smooth(['float32'], [-20, 20], 8, 1),
  sqrt: smooth(FLOATS, [0, 50], 1),
  tan: smooth(['float32'], [-1.5, 1.5], 8, 1),
  tanh: smooth(FLOATS, [-10, 10], 8, 1),
  trunc: exact(FLOATS, {}),
  zeros_like: exact(EVERY),
  ones_like: exact(EVERY),
  'annotation.stop_fusion': exact(EVERY),
};

/** Two tensors that broadcast; equal bitwise. */
const binary =
  (dtypes: ReadonlyArray<DType>, left: Numbers = {}, right = left): CaseDraw =>
  (d) => {
    const dtype = d.pick(dtypes);
    const [first, second] = d.broadcasting();
    return { args: [d.tensor(first, dtype, left), d.tensor(second, dtype, right)] };
  };

const binaries: CaseDraws = {
  add: binary(NUMBERS, SPECIAL),
  subtract: binary(NUMBERS, SPECIAL),
  multiply: binary(NUMBERS, SPECIAL),
  divide: binary(NUMBERS, {}, NON_ZERO),
  floor_divide: binary(FLOATS, {}, NON_ZERO),
  trunc_divide: binary(['int32', 'int64'], {}, NON_ZERO),
  floor_mod: binary(INTEGERS, {}, NON_ZERO),
  trunc_mod: binary(NUMBERS, {}, NON_ZERO),
  mod: binary(NUMBERS, {}, NON_ZERO),
  power: (d) => {
    if (d.chance(0.3)) {
      const whole = d.pick<DType>(['int32', 'int64']);
      return binary([whole], { min: -5, max: 5 }, { min: 0, max: 6 })(d);
    }
    const dtype = d.pick(FLOATS);
    const [first, second] = d.broadcasting();
    const a = d.reals(first, dtype, 0.1, 5);
    const b = d.tensor(second, dtype, { min: -4, max: 4, step: 0.5 });
    return { args: [a, b], ulps: 8 };
  },
  maximum: binary(NUMBERS, SPECIAL),
  minimum: binary(NUMBERS, SPECIAL),
  equal: binary([...NUMBERS, 'bool'], SPECIAL),
  not_equal: binary(NUMBERS, SPECIAL),
  less: binary(NUMBERS, SPECIAL),
  less_equal: binary(NUMBERS, SPECIAL),
  greater: binary(NUMBERS, SPECIAL),
  greater_equal: binary(NUMBERS, SPECIAL),
  logical_and: binary(['bool']),
  logical_or: binary(['bool']),
  logical_xor: binary(['bool']),
  bitwise_and: binary(INTEGERS, SPECIAL),
  bitwise_or: binary(INTEGERS, SPECIAL),
  bitwise_xor: binary(INTEGERS, SPECIAL),
  left_shift: binary(['uint8', 'uint32', 'uint64'], {}, { max: 7 }),
  right_shift: binary(['uint8', 'uint32', 'uint64'], { max: 200 }, { max: 7 }),
};

/** Whole numbers near the ends of their types wrap, so the numbers stay small enough to convert. */
const CASTS: ReadonlyArray<DType> = [...EVERY, 'bool', 'float16'];

const isWhole = (dtype: DType): boolean => dtype.includes('int');

const others: CaseDraws = {
  cast: (d) => {
    const to = d.pick(CASTS);
    const from = d.pick(CASTS);
    const numbers = to.startsWith('uint') ? { min: 0 } : {};
    const x = d.tensor(d.sparse(), from, { ...numbers, extreme: isWhole(to) && isWhole(from) });
    return { args: [x], attrs: { dtype: to } };
  },
  cast_like: (d) => {
    const to = d.pick(EVERY);
    const x = d.tensor(d.shape(), d.pick(EVERY), { min: 0 });
    return { args: [x, d.tensor(d.shape(), to)] };
  },
  clip: (d) => {
    const x = d.tensor(d.shape(), d.pick([...FLOATS, 'int32', 'int64', 'int8', 'uint8']));
    return { args: [x], attrs: { a_min: d.int(0, 3), a_max: d.int(3, 6) } };
  },
  'nn.leaky_relu': (d) => {
    const alpha = d.int(-8, 8) / 8;
    return { args: [d.tensor(d.shape(), 'float32')], attrs: { alpha } };
  },
  'nn.prelu': (d) => {
    const x = d.tensor(d.shape(1, 4), 'float32');
    const axis = d.int(0, x.shape.length - 1);
    return { args: [x, d.tensor([x.shape[axis] ?? 1], 'float32')], attrs: { axis } };
  },
  where: (d) => {
    const dtype = d.pick<DType>(['float32', 'int32', 'int64', 'uint8']);
    const [first, second] = d.broadcasting();
    const a = d.tensor(first, dtype, SPECIAL);
    const b = d.tensor(second, dtype, SPECIAL);
    return { args: [d.tensor(d.chance(0.5) ? first : second, 'bool'), a, b] };
  },
  'nn.dropout': (d) => ({
    args: [d.tensor(d.shape(), d.pick(FLOATS))],
    attrs: { rate: d.int(1, 7) / 8 },
  }),
};

/** Operators on single elements. */
export const elementwise: CaseDraws = { ...unary, ...binaries, ...others };
