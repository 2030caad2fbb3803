import type { Attrs } from '@baton/ir';
import { formOf, standardOps } from '@baton/ops';
import {
  broadcastShapes,
  type DType,
  isSplat,
  splat,
  type Tensor,
  tensor,
  tensorsEqual,
  toNested,
} from '@baton/tensor';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mapScalar } from '../src/kernels/elementwise.ts';
import { erf as erfOf } from '../src/scalar/erf.ts';
import { atBroadcast, build, elements, f32, gridTensor, SEED } from './kernels-support.ts';
import { run } from './support.ts';

/** The scalar expression of an operator, on tensors of any dtype that it is defined for. */
function mapped(name: string, ...operands: readonly [Tensor, ...Tensor[]]): Tensor {
  const scalar = formOf(standardOps, name, 'Map');
  if (scalar === undefined) throw new Error(`${name} has no scalar expression`);
  return mapScalar(scalar.expr, operands);
}

const evaluated = (name: string, args: ReadonlyArray<Tensor>, attrs: Attrs = {}): Tensor =>
  run(name, args, attrs) as Tensor;

type Values = ReadonlyArray<number | bigint>;
const list = (values: Values, dtype: DType): Tensor => tensor(values, [values.length], dtype);

const INT_MIN = -(2 ** 31);
const LONG_MIN = -(2n ** 63n);
const LONG_MAX = 2n ** 63n - 1n;
const { NaN: nan, POSITIVE_INFINITY: inf } = Number;

/** Rows: kernel, dtype, left operands, right operands, results. */
const binaryRows: ReadonlyArray<readonly [string, DType, Values, Values, Values]> = [
  // Division by 0 yields 0, and the least over −1 wraps
  // ([D16](https://batonjs.github.io/baton/spec/decisions#D16)); C164 is the first column.
  ['divide', 'int32', [-7, 7, 5, INT_MIN, 0], [2, -2, 0, -1, 5], [-3, -3, 0, INT_MIN, 0]],
  ['floor_divide', 'int32', [-7, 7, 5, INT_MIN], [2, -2, 0, -1], [-4, -4, 0, INT_MIN]],
  ['trunc_divide', 'int32', [-7, 7, 5, INT_MIN], [2, -2, 0, -1], [-3, -3, 0, INT_MIN]],
  ['trunc_mod', 'int32', [-7, 7, 5, INT_MIN], [2, -2, 0, -1], [-1, 1, 0, 0]],
  ['floor_mod', 'int32', [-7, 7, 5, INT_MIN], [2, -2, 0, -1], [1, -1, 0, 0]],
  ['divide', 'int8', [-128, 127], [-1, 2], [-128, 63]],
  ['divide', 'uint8', [255, 7], [2, 0], [127, 0]],
  ['divide', 'uint32', [4294967295, 4294967295], [2, 4294967295], [2147483647, 1]],
  ['divide', 'int64', [-7n, 5n, LONG_MIN], [2n, 0n, -1n], [-3n, 0n, LONG_MIN]],
  ['floor_divide', 'int64', [-7n, 7n, 5n, LONG_MIN], [2n, -2n, 0n, -1n], [-4n, -4n, 0n, LONG_MIN]],
  ['trunc_mod', 'int64', [-7n, 7n, 5n, LONG_MIN], [2n, -2n, 0n, -1n], [-1n, 1n, 0n, 0n]],
  ['floor_mod', 'int64', [-7n, 7n, 5n, LONG_MIN], [2n, -2n, 0n, -1n], [1n, -1n, 0n, 0n]],
  ['divide', 'uint64', [2n ** 64n - 1n, 1n], [2n, 0n], [LONG_MAX, 0n]],
  ['divide', 'float32', [1, -1, 0], [0, 0, 0], [inf, -inf, nan]],
  ['floor_divide', 'float32', [-7, 7.5, 1], [2, 2, 0], [-4, 3, inf]],
  ['trunc_divide', 'float32', [-7, 7.5], [2, 2], [-3, 3]],
  ['trunc_mod', 'float32', [-7, 7.5, 1, 5], [2, 2, 0, inf], [-1, 1.5, nan, 5]],
  ['floor_mod', 'float32', [-7, 7.5, 1, 5, 7], [2, 2, 0, inf, -2], [1, 1.5, nan, 5, -1]],

  ['add', 'int8', [127, -128], [1, -1], [-128, 127]],
  ['add', 'uint16', [65535], [2], [1]],
  ['add', 'int64', [LONG_MAX], [1n], [LONG_MIN]],
  ['subtract', 'uint32', [0], [1], [4294967295]],
  ['subtract', 'uint64', [0n], [1n], [2n ** 64n - 1n]],
  ['multiply', 'int32', [65537, INT_MIN], [65537, -1], [131073, INT_MIN]],
  ['multiply', 'uint32', [4294967295], [4294967295], [1]],
  ['multiply', 'int64', [2n ** 40n + 1n], [2n ** 40n], [2n ** 40n]],
  ['multiply', 'uint8', [200], [2], [144]],

  [
    'power',
    'int32',
    [3, -2, 0, 7, 2, 2, 1, -1, -1],
    [4, 3, 0, 0, 31, -1, -5, -5, -4],
    [81, -8, 1, 1, INT_MIN, 0, 1, -1, 1],
  ],
  [
    'power',
    'int64',
    [3n, 2n, -1n, 5n, 0n],
    [40n, 64n, -3n, -1n, -1n],
    [BigInt.asIntN(64, 3n ** 40n), 0n, -1n, 0n, 0n],
  ],
  [
    'power',
    'float32',
    [2, 1, -1, -8, nan, 0],
    [0.5, nan, inf, 1 / 3, 0, -1],
    [Math.fround(Math.SQRT2), 1, 1, nan, 1, inf],
  ],

  ['maximum', 'float32', [nan, 1, 0, -0, 2], [1, nan, -0, 0, 3], [nan, nan, 0, 0, 3]],
  ['minimum', 'float32', [nan, 1, 0, -0, 2], [1, nan, -0, 0, 3], [nan, nan, -0, -0, 2]],
  ['maximum', 'float32', [-3, -0.5], [-1, -2], [-1, -0.5]],
  ['maximum', 'int8', [-3, 5], [-1, 2], [-1, 5]],
  ['maximum', 'int64', [-3n, LONG_MAX], [-1n, 2n], [-1n, LONG_MAX]],
  ['minimum', 'int32', [3, 5], [4, 2], [3, 2]],
  ['minimum', 'uint64', [3n, 2n ** 64n - 1n], [4n, 2n], [3n, 2n]],

  ['left_shift', 'int8', [1, 1, 1, 64], [7, 8, 9, 1], [-128, 1, 2, -128]],
  ['left_shift', 'int32', [1, 1, 1], [31, 32, -1], [INT_MIN, 1, INT_MIN]],
  ['left_shift', 'uint32', [1, 3], [31, 33], [2147483648, 6]],
  ['left_shift', 'int64', [1n, 1n, 1n], [63n, 64n, 65n], [LONG_MIN, 1n, 2n]],
  ['right_shift', 'int8', [-128, -1, 64], [7, 3, 9], [-1, -1, 32]],
  ['right_shift', 'uint8', [255, 255], [7, 8], [1, 255]],
  ['right_shift', 'uint32', [4294967295, 4294967295], [31, 32], [1, 4294967295]],
  ['right_shift', 'int64', [LONG_MIN, 5n], [63n, 64n], [-1n, 5n]],
  ['right_shift', 'uint64', [2n ** 64n - 1n], [63n], [1n]],

  ['bitwise_and', 'int8', [-1, 6], [5, 3], [5, 2]],
  ['bitwise_or', 'uint32', [2147483648], [1], [2147483649]],
  ['bitwise_xor', 'int64', [-1n], [1n], [-2n]],
  ['logical_and', 'bool', [0, 1, 1], [1, 0, 1], [0, 0, 1]],
  ['logical_or', 'bool', [0, 1, 0], [1, 0, 0], [1, 1, 0]],
  ['logical_xor', 'bool', [0, 1, 1], [1, 0, 1], [1, 1, 0]],
  ['add', 'bool', [0, 1, 1], [0, 0, 1], [0, 1, 1]],

  ['equal', 'float32', [1, nan, 0], [1, nan, -0], [1, 0, 1]],
  ['not_equal', 'float32', [1, nan], [1, nan], [0, 1]],
  ['less', 'float32', [1, nan, inf], [2, 1, inf], [1, 0, 0]],
  ['less_equal', 'int64', [LONG_MAX, LONG_MAX], [LONG_MAX - 1n, LONG_MAX], [0, 1]],
  ['greater', 'uint64', [2n ** 64n - 1n], [2n ** 63n], [1]],
  ['greater_equal', 'float16', [1, nan], [1, 1], [1, 0]],

  // Rounded once to the dtype: 2048 + 1 is a tie in float16, 256 + 1 in bfloat16.
  ['add', 'float16', [2048, 2048, 65504], [1, 3, 65504], [2048, 2052, inf]],
  ['add', 'bfloat16', [256, 256], [1, 3], [256, 260]],
  ['multiply', 'float16', [2 ** -14], [2 ** -11], [0]],
  ['multiply', 'float32', [16777217], [1], [16777216]],
  ['nn.prelu', 'float32', [2, -2, nan], [0.25, 0.25, 1], [2, -0.5, nan]],
];

describe('operators of two operands', () => {
  it.each(binaryRows)('%s of %s', (name, dtype, left, right, expected) => {
    const out = mapped(name, list(left, dtype), list(right, dtype));
    expect(elements(out)).toEqual([...expected]);
    const isComparison = ['equal', 'not_equal', 'less', 'less_equal', 'greater', 'greater_equal'];
    expect(out.dtype).toBe(isComparison.includes(name) ? 'bool' : dtype);
  });

  const shapes = fc.constantFrom<[number[], number[]]>(
    [
      [2, 3, 5],
      [2, 3, 5],
    ],
    [[2, 3, 5], []],
    [[], [7]],
    [
      [2, 3, 5],
      [3, 1],
    ],
    [[2, 3, 5], [5]],
    [
      [2, 1, 5],
      [3, 1],
    ],
    [[1], [0]],
    [[0, 3], [3]],
    [
      [7, 1],
      [1, 3],
    ],
  );

  it.each<DType>(['float32', 'float64', 'float16', 'bfloat16', 'int8', 'uint16', 'int32'])(
    'broadcast tensors of %s',
    (dtype) => {
      const operands = shapes.chain(([a, b]) =>
        fc.tuple(gridTensor(a, dtype), gridTensor(b, dtype)),
      );
      fc.assert(
        fc.property(operands, ([a, b]) => {
          const shape = broadcastShapes(a.shape, b.shape) ?? [];
          const expected = build(shape, dtype, (i) => atBroadcast(a, i) * 2 - atBroadcast(b, i));
          const found = mapped('subtract', mapped('add', a, a), b);
          // Doubling and subtracting stay exact on the grid, or wrap alike.
          expect(tensorsEqual(found, expected)).toBe(true);
        }),
        { seed: SEED, numRuns: 60 },
      );
    },
  );

  it('select where the condition is not 0, and broadcast all three', () => {
    const operands = fc.tuple(
      gridTensor([3, 1], 'int8'),
      gridTensor([1, 5]),
      gridTensor([2, 3, 5]),
    );
    fc.assert(
      fc.property(operands, ([c, x, y]) => {
        const expected = build([2, 3, 5], 'float32', (i) =>
          atBroadcast(c, i) !== 0 ? atBroadcast(x, i) : atBroadcast(y, i),
        );
        expect(tensorsEqual(evaluated('where', [c, x, y]), expected)).toBe(true);
      }),
      { seed: SEED, numRuns: 40 },
    );
    const condition = list([0n, 2n ** 32n], 'int64');
    const chosen = evaluated('where', [
      condition,
      list([1n, 2n], 'int64'),
      list([3n, 4n], 'int64'),
    ]);
    expect(elements(chosen)).toEqual([3n, 2n]);
  });

  it('keep a splat a splat', () => {
    const big = splat([1000, 1000], 'float32', 2);
    const out = mapped('multiply', big, f32([3], []));
    expect([isSplat(out), out.data.length, elements(mapped('negative', f32([1])))]).toEqual([
      true,
      1,
      [-1],
    ]);
    expect(toNested(mapped('add', splat([3], 'int8', 1), splat([3], 'int8', 1)))).toEqual([
      2, 2, 2,
    ]);
  });
});

/** Rows: kernel, dtype, operands, results. */
const unaryRows: ReadonlyArray<readonly [string, DType, Values, Values]> = [
  ['log', 'float32', [1, 0, -1, inf], [0, -inf, nan, inf]],
  ['log2', 'float32', [8, 0.5], [3, -1]],
  ['log10', 'float64', [1000, 0.01], [3, -2]],
  ['exp', 'float32', [0, -inf, 100, nan], [1, 0, inf, nan]],
  ['exp', 'float16', [12], [inf]],
  ['sqrt', 'float32', [4, -1, -0], [2, nan, -0]],
  ['rsqrt', 'float32', [4, 0, inf], [0.5, inf, 0]],
  ['tanh', 'float32', [0, inf, -inf], [0, 1, -1]],
  ['sigmoid', 'float32', [0, -1000, 1000, nan], [0.5, 0, 1, nan]],
  ['floor', 'float32', [-1.5, 1.5, -0.5], [-2, 1, -1]],
  ['ceil', 'float32', [-1.5, 1.5, -0.5], [-1, 2, -0]],
  ['trunc', 'float32', [-1.5, 1.5, inf], [-1, 1, inf]],
  [
    'round',
    'float64',
    [0.5, -0.5, 2.5, -2.5, 0.49999999999999994, 1e300, nan],
    [1, -1, 3, -3, 0, 1e300, nan],
  ],
  ['round', 'int32', [3], [3]],
  ['abs', 'int8', [-128, -3], [-128, 3]],
  ['abs', 'int64', [LONG_MIN, -3n], [LONG_MIN, 3n]],
  ['abs', 'float32', [-0, -inf, nan], [0, inf, nan]],
  ['negative', 'uint8', [1], [255]],
  ['negative', 'int64', [LONG_MIN, 5n], [LONG_MIN, -5n]],
  ['negative', 'float32', [0], [-0]],
  ['sign', 'float32', [-3, 0, nan, 7], [-1, 0, nan, 1]],
  ['sign', 'int64', [-3n, 0n, 9n], [-1n, 0n, 1n]],
  ['nn.relu', 'float32', [-1, 2, nan, -inf, inf], [0, 2, nan, 0, inf]],
  ['nn.relu', 'int64', [-1n, 2n], [0n, 2n]],
  ['logical_not', 'bool', [0, 1], [1, 0]],
  ['bitwise_not', 'int8', [0, 5], [-1, -6]],
  ['bitwise_not', 'uint32', [0], [4294967295]],
  ['bitwise_not', 'uint64', [0n], [2n ** 64n - 1n]],
  ['bitwise_not', 'bool', [0, 1], [1, 0]],
  ['isnan', 'float32', [nan, 1, inf], [1, 0, 0]],
  ['isinf', 'float16', [nan, 1, -inf], [0, 0, 1]],
  ['isfinite', 'bfloat16', [nan, 1, inf], [0, 1, 0]],
];

describe('operators of one operand', () => {
  it.each(unaryRows)('%s of %s', (name, dtype, values, expected) => {
    expect(elements(mapped(name, list(values, dtype)))).toEqual([...expected]);
  });

  it.each([
    ['sin', Math.sin],
    ['cos', Math.cos],
    ['tan', Math.tan],
    ['sinh', Math.sinh],
    ['cosh', Math.cosh],
    ['asin', Math.asin],
    ['acos', Math.acos],
    ['atan', Math.atan],
    ['asinh', Math.asinh],
    ['acosh', Math.acosh],
    ['atanh', Math.atanh],
  ] as const)('%s is rounded once to float32, through any strides', (name, f) => {
    fc.assert(
      fc.property(gridTensor([3, 5]), (x) => {
        const expected = build([3, 5], 'float32', (i) => f(atBroadcast(x, i)));
        expect(tensorsEqual(mapped(name, x), expected)).toBe(true);
      }),
      { seed: SEED, numRuns: 20 },
    );
  });

  it.each<[DType, number, number, Values, Values]>([
    ['float32', 0, 6, [-1, 3, 7, nan], [0, 3, 6, nan]],
    ['float32', -inf, 0.1, [1], [Math.fround(0.1)]],
    ['int8', -1000, 5.9, [-128, 5, 6], [-128, 5, 5]],
    ['uint8', -3, 300, [0, 255], [0, 255]],
    ['int64', -1e30, 7.5, [LONG_MIN, 8n], [LONG_MIN, 7n]],
    ['int64', -inf, inf, [LONG_MIN, LONG_MAX], [LONG_MIN, LONG_MAX]],
  ])('clip of %s to %d, %d', (dtype, low, high, values, expected) => {
    expect(elements(evaluated('clip', [list(values, dtype)], { a_min: low, a_max: high }))).toEqual(
      [...expected],
    );
  });

  it('leakyRelu, reinterpret and fixedPointMultiply have their values', () => {
    expect(elements(evaluated('nn.leaky_relu', [f32([4, -4, nan])], { alpha: 0.25 }))).toEqual([
      4,
      -1,
      nan,
    ]);
    expect(elements(evaluated('reinterpret', [f32([1, -0])], { dtype: 'int32' }))).toEqual([
      0x3f800000,
      INT_MIN,
    ]);
    expect(
      elements(evaluated('reinterpret', [list([0x7c00], 'uint16')], { dtype: 'float16' })),
    ).toEqual([inf]);
    expect(elements(evaluated('reinterpret', [list([0, 7], 'int8')], { dtype: 'bool' }))).toEqual([
      0, 1,
    ]);
    const fixed = (values: Values, shift: number): Tensor =>
      evaluated('fixed_point_multiply', [list(values, 'int32')], { multiplier: 2 ** 30, shift });
    expect(elements(fixed([5, -5, 6], 0))).toEqual([3, -2, 3]);
    expect(elements(fixed([5], 2))).toEqual([10]);
  });
});

describe('erf', () => {
  it('agrees with Simpson integration of its definition', () => {
    for (let k = -64; k <= 64; k++) {
      const x = k / 10;
      expect(Math.abs(erfOf(x) - integral(x))).toBeLessThan(1e-13);
    }
  });

  it.each([
    [0, 0],
    [0.5, 0.5204998778130465],
    [1, 0.8427007929497149],
    [2, 0.9953222650189527],
    [3, 0.9999779095030014],
    [inf, 1],
    [-inf, -1],
    [nan, nan],
    [-0, -0],
    [1e-300, 1.1283791670955126e-300],
  ])('of %d', (x, expected) => {
    expect(Math.abs(erfOf(x) - expected) > 1e-15 * Math.abs(expected)).toBe(false);
    expect(Object.is(erfOf(x) * 0, expected * 0)).toBe(true);
  });

  it('loses nothing where the two methods meet', () => {
    expect(Math.abs(erfOf(2.5) - erfOf(2.5 - 2 ** -51))).toBeLessThan(1e-15);
  });

  function integral(x: number): number {
    const steps = 4000;
    const h = x / steps;
    const f = (i: number) => Math.exp(-((i * h) ** 2));
    let sum = f(0) + f(steps);
    for (let i = 1; i < steps; i++) sum += (i % 2 === 1 ? 4 : 2) * f(i);
    return ((2 / Math.sqrt(Math.PI)) * sum * h) / 3;
  }
});
