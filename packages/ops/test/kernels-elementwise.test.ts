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
import * as binaryKernels from '../src/kernels/binary.ts';
import { erf as erfOf } from '../src/kernels/erf.ts';
import * as unaryKernels from '../src/kernels/unary.ts';
import { atBroadcast, build, elements, f32, gridTensor, SEED } from './kernels-support.ts';

// The tables have string keys; a plain object has these names.
const binary = { ...binaryKernels };
const unary = { ...unaryKernels };

type Values = ReadonlyArray<number | bigint>;
const list = (values: Values, dtype: DType): Tensor => tensor(values, [values.length], dtype);

const INT_MIN = -(2 ** 31);
const LONG_MIN = -(2n ** 63n);
const LONG_MAX = 2n ** 63n - 1n;
const { NaN: nan, POSITIVE_INFINITY: inf } = Number;

/** Rows: kernel, dtype, left operands, right operands, results. */
const binaryRows: ReadonlyArray<readonly [keyof typeof binary, DType, Values, Values, Values]> = [
  // Division by 0 gives 0, and the least over −1 wraps
  // ([D16](https://batonjs.github.io/baton/spec/decisions#D16)); C164 is the first column.
  ['divide', 'int32', [-7, 7, 5, INT_MIN, 0], [2, -2, 0, -1, 5], [-3, -3, 0, INT_MIN, 0]],
  ['floorDivide', 'int32', [-7, 7, 5, INT_MIN], [2, -2, 0, -1], [-4, -4, 0, INT_MIN]],
  ['truncDivide', 'int32', [-7, 7, 5, INT_MIN], [2, -2, 0, -1], [-3, -3, 0, INT_MIN]],
  ['truncMod', 'int32', [-7, 7, 5, INT_MIN], [2, -2, 0, -1], [-1, 1, 0, 0]],
  ['floorMod', 'int32', [-7, 7, 5, INT_MIN], [2, -2, 0, -1], [1, -1, 0, 0]],
  ['divide', 'int8', [-128, 127], [-1, 2], [-128, 63]],
  ['divide', 'uint8', [255, 7], [2, 0], [127, 0]],
  ['divide', 'uint32', [4294967295, 4294967295], [2, 4294967295], [2147483647, 1]],
  ['divide', 'int64', [-7n, 5n, LONG_MIN], [2n, 0n, -1n], [-3n, 0n, LONG_MIN]],
  ['floorDivide', 'int64', [-7n, 7n, 5n, LONG_MIN], [2n, -2n, 0n, -1n], [-4n, -4n, 0n, LONG_MIN]],
  ['truncMod', 'int64', [-7n, 7n, 5n, LONG_MIN], [2n, -2n, 0n, -1n], [-1n, 1n, 0n, 0n]],
  ['floorMod', 'int64', [-7n, 7n, 5n, LONG_MIN], [2n, -2n, 0n, -1n], [1n, -1n, 0n, 0n]],
  ['divide', 'uint64', [2n ** 64n - 1n, 1n], [2n, 0n], [LONG_MAX, 0n]],
  ['divide', 'float32', [1, -1, 0], [0, 0, 0], [inf, -inf, nan]],
  ['floorDivide', 'float32', [-7, 7.5, 1], [2, 2, 0], [-4, 3, inf]],
  ['truncDivide', 'float32', [-7, 7.5], [2, 2], [-3, 3]],
  ['truncMod', 'float32', [-7, 7.5, 1, 5], [2, 2, 0, inf], [-1, 1.5, nan, 5]],
  ['floorMod', 'float32', [-7, 7.5, 1, 5, 7], [2, 2, 0, inf, -2], [1, 1.5, nan, 5, -1]],

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

  ['leftShift', 'int8', [1, 1, 1, 64], [7, 8, 9, 1], [-128, 1, 2, -128]],
  ['leftShift', 'int32', [1, 1, 1], [31, 32, -1], [INT_MIN, 1, INT_MIN]],
  ['leftShift', 'uint32', [1, 3], [31, 33], [2147483648, 6]],
  ['leftShift', 'int64', [1n, 1n, 1n], [63n, 64n, 65n], [LONG_MIN, 1n, 2n]],
  ['rightShift', 'int8', [-128, -1, 64], [7, 3, 9], [-1, -1, 32]],
  ['rightShift', 'uint8', [255, 255], [7, 8], [1, 255]],
  ['rightShift', 'uint32', [4294967295, 4294967295], [31, 32], [1, 4294967295]],
  ['rightShift', 'int64', [LONG_MIN, 5n], [63n, 64n], [-1n, 5n]],
  ['rightShift', 'uint64', [2n ** 64n - 1n], [63n], [1n]],

  ['bitwiseAnd', 'int8', [-1, 6], [5, 3], [5, 2]],
  ['bitwiseOr', 'uint32', [2147483648], [1], [2147483649]],
  ['bitwiseXor', 'int64', [-1n], [1n], [-2n]],
  ['logicalAnd', 'bool', [0, 1, 1], [1, 0, 1], [0, 0, 1]],
  ['logicalOr', 'bool', [0, 1, 0], [1, 0, 0], [1, 1, 0]],
  ['logicalXor', 'bool', [0, 1, 1], [1, 0, 1], [1, 1, 0]],
  ['add', 'bool', [0, 1, 1], [0, 0, 1], [0, 1, 1]],

  ['equal', 'float32', [1, nan, 0], [1, nan, -0], [1, 0, 1]],
  ['notEqual', 'float32', [1, nan], [1, nan], [0, 1]],
  ['less', 'float32', [1, nan, inf], [2, 1, inf], [1, 0, 0]],
  ['lessEqual', 'int64', [LONG_MAX, LONG_MAX], [LONG_MAX - 1n, LONG_MAX], [0, 1]],
  ['greater', 'uint64', [2n ** 64n - 1n], [2n ** 63n], [1]],
  ['greaterEqual', 'float16', [1, nan], [1, 1], [1, 0]],

  // Rounded once to the type: 2048 + 1 is a tie in float16, 256 + 1 in bfloat16.
  ['add', 'float16', [2048, 2048, 65504], [1, 3, 65504], [2048, 2052, inf]],
  ['add', 'bfloat16', [256, 256], [1, 3], [256, 260]],
  ['multiply', 'float16', [2 ** -14], [2 ** -11], [0]],
  ['multiply', 'float32', [16777217], [1], [16777216]],
  ['prelu', 'float32', [2, -2, nan], [0.25, 0.25, 1], [2, -0.5, nan]],
];

describe('operators of two operands', () => {
  it.each(binaryRows)('%s of %s', (name, dtype, left, right, expected) => {
    const kernel = binary[name] as binaryKernels.BinaryKernel;
    const out = kernel(list(left, dtype), list(right, dtype));
    expect(elements(out)).toEqual([...expected]);
    const isComparison = ['equal', 'notEqual', 'less', 'lessEqual', 'greater', 'greaterEqual'];
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
          const found = binary.subtract(binary.add(a, a), b);
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
        expect(tensorsEqual(binary.where(c, x, y), expected)).toBe(true);
      }),
      { seed: SEED, numRuns: 40 },
    );
    const condition = list([0n, 2n ** 32n], 'int64');
    const chosen = binary.where(condition, list([1n, 2n], 'int64'), list([3n, 4n], 'int64'));
    expect(elements(chosen)).toEqual([3n, 2n]);
  });

  it('keep a splat a splat', () => {
    const big = splat([1000, 1000], 'float32', 2);
    const out = binary.multiply(big, f32([3], []));
    expect([isSplat(out), out.data.length, elements(unary.negative(f32([1])))]).toEqual([
      true,
      1,
      [-1],
    ]);
    expect(toNested(binary.add(splat([3], 'int8', 1), splat([3], 'int8', 1)))).toEqual([2, 2, 2]);
  });
});

/** Rows: kernel, dtype, operands, results. */
const unaryRows: ReadonlyArray<readonly [keyof typeof unary, DType, Values, Values]> = [
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
  ['relu', 'float32', [-1, 2, nan, -inf, inf], [0, 2, nan, 0, inf]],
  ['relu', 'int64', [-1n, 2n], [0n, 2n]],
  ['logicalNot', 'bool', [0, 1], [1, 0]],
  ['bitwiseNot', 'int8', [0, 5], [-1, -6]],
  ['bitwiseNot', 'uint32', [0], [4294967295]],
  ['bitwiseNot', 'uint64', [0n], [2n ** 64n - 1n]],
  ['bitwiseNot', 'bool', [0, 1], [1, 0]],
  ['isNaNs', 'float32', [nan, 1, inf], [1, 0, 0]],
  ['isInf', 'float16', [nan, 1, -inf], [0, 0, 1]],
  ['isFinites', 'bfloat16', [nan, 1, inf], [0, 1, 0]],
];

describe('operators of one operand', () => {
  it.each(unaryRows)('%s of %s', (name, dtype, values, expected) => {
    const kernel = unary[name] as unaryKernels.UnaryKernel;
    expect(elements(kernel(list(values, dtype)))).toEqual([...expected]);
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
        expect(tensorsEqual(unary[name](x), expected)).toBe(true);
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
    expect(elements(unary.clip(list(values, dtype), low, high))).toEqual([...expected]);
  });

  it('leakyRelu, reinterpret and fixedPointMultiply have their values', () => {
    expect(elements(unary.leakyRelu(f32([4, -4, nan]), 0.25))).toEqual([4, -1, nan]);
    expect(elements(unary.reinterpret(f32([1, -0]), 'int32'))).toEqual([0x3f800000, INT_MIN]);
    expect(elements(unary.reinterpret(list([0x7c00], 'uint16'), 'float16'))).toEqual([inf]);
    expect(elements(unary.reinterpret(list([0, 7], 'int8'), 'bool'))).toEqual([0, 1]);
    const half = 2 ** 30;
    expect(elements(unary.fixedPointMultiply(list([5, -5, 6], 'int32'), half, 0))).toEqual([
      3, -2, 3,
    ]);
    expect(elements(unary.fixedPointMultiply(list([5], 'int32'), half, 2))).toEqual([10]);
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
