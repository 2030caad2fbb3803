/** Quantized numbers: rounding, limits, scales along an axis, and their formulas. */
import { isLeft, orThrow } from '@baton/base';
import { constant } from '@baton/ir';
import { callOp, evaluateCall, standardOps } from '@baton/ops';
import { type DType, isTensor, type Tensor, tensor, toNumbers } from '@baton/tensor';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SEED } from './kernels-support.ts';

const vector = (values: ReadonlyArray<number>, dtype: DType): Tensor =>
  tensor(values, [values.length], dtype);
const scalar = (value: number, dtype: DType): Tensor => tensor([value], [], dtype);

type Attrs = Parameters<typeof callOp>[3];

/** The numbers of an operator's result. */
function computed(name: string, args: ReadonlyArray<Tensor>, attrs: Attrs = {}): Tensor {
  const of = callOp(
    standardOps,
    name,
    args.map((arg) => constant(arg)),
    attrs,
  );
  const result = orThrow(evaluateCall(standardOps, of, args));
  if (!isTensor(result)) throw new Error('the result is a tensor');
  return result;
}

const numbers = (t: Tensor): ReadonlyArray<number> => Array.from(toNumbers(t));

describe('a number becomes an integer', () => {
  test.each<[string, ReadonlyArray<number>, number, number, DType, ReadonlyArray<number>]>([
    ['halves go away from 0', [0.5, 1.5, -0.5, -1.5, 0.25], 1, 0, 'int8', [1, 2, -1, -2, 0]],
    ['the scale divides', [1, -1, 0.3], 0.5, 0, 'int8', [2, -2, 1]],
    ['the zero point is added', [1, -1], 1, 3, 'uint8', [4, 2]],
    ['int8 ends at its limits', [1000, -1000], 1, 0, 'int8', [127, -128]],
    ['uint8 ends at its limits', [1000, -1000], 1, 128, 'uint8', [255, 0]],
    ['int32 ends at its limits', [1e20, -1e20], 1, 0, 'int32', [2147483647, -2147483648]],
    ['infinities end at the limits', [Infinity, -Infinity], 1, 0, 'int16', [32767, -32768]],
    ['NaN is 0', [Number.NaN], 1, 5, 'int8', [0]],
    ['a number just below a half goes down', [0.49999997], 1, 0, 'int8', [0]],
  ])('%s', (_title, values, scale, zero, dtype, wanted) => {
    const args = [vector(values, 'float32'), scalar(scale, 'float32'), scalar(zero, 'int32')];
    expect(numbers(computed('qnn.quantize', args, { out_dtype: dtype }))).toEqual(wanted);
  });
});

test('each channel has its scale and its zero point', () => {
  const data = tensor([1, 2, 3, 4, 5, 6], [2, 3], 'float32');
  const rows = [data, vector([1, 2], 'float32'), vector([0, 10], 'int32')];
  expect(numbers(computed('qnn.quantize', rows, { axis: 0 }))).toEqual([1, 2, 3, 12, 13, 13]);
  const columns = [data, vector([1, 2, 3], 'float32'), scalar(1, 'int32')];
  expect(numbers(computed('qnn.quantize', columns))).toEqual([2, 2, 2, 5, 4, 3]);
  const back = [
    tensor([1, 2, 3, 4], [2, 2], 'int8'),
    vector([1, 0.5], 'float32'),
    scalar(1, 'int32'),
  ];
  expect(numbers(computed('qnn.dequantize', back, { axis: 1 }))).toEqual([0, 0.5, 2, 1.5]);
});

/** Data and a grid, whose scale is a scalar or lies along the last axis. */
const cases = fc.record({
  data: fc.array(fc.integer({ min: -128, max: 127 }), { minLength: 6, maxLength: 6 }),
  scales: fc.array(fc.float({ min: 0.0625, max: 16, noNaN: true }), { minLength: 3, maxLength: 3 }),
  zeros: fc.array(fc.integer({ min: -128, max: 127 }), { minLength: 3, maxLength: 3 }),
  to: fc.float({ min: 0.0625, max: 16, noNaN: true }),
  toZero: fc.integer({ min: -128, max: 127 }),
});

test('the operators compute what their formulas do, to the bit', () => {
  fc.assert(
    fc.property(cases, ({ data, scales, zeros, to, toZero }) => {
      const q = tensor(data, [2, 3], 'int8');
      const from = [vector(scales, 'float32'), vector(zeros, 'int32')] as const;
      const into = [scalar(to, 'float32'), scalar(toZero, 'int32')] as const;
      const cast = (t: Tensor, dtype: DType): Tensor => computed('cast', [t], { dtype });
      const difference = computed('subtract', [cast(q, 'int32'), from[1]]);
      const real = computed('multiply', [cast(difference, 'float32'), from[0]]);
      expect(numbers(computed('qnn.dequantize', [q, ...from]))).toEqual(numbers(real));
      const rounded = computed('round', [computed('divide', [real, into[0]])]);
      const moved = computed('add', [rounded, cast(into[1], 'float32')]);
      const clipped = computed('clip', [moved], { a_min: -128, a_max: 127 });
      const wanted = numbers(cast(clipped, 'int8'));
      expect(numbers(computed('qnn.quantize', [real, ...into]))).toEqual(wanted);
      expect(numbers(computed('qnn.requantize', [q, ...from, ...into]))).toEqual(wanted);
    }),
    { seed: SEED, numRuns: 200 },
  );
});

test.each([
  ['a scale in another type', [vector([1], 'float32'), scalar(1, 'float64'), scalar(0, 'int32')]],
  [
    'a scale of another length',
    [vector([1], 'float32'), vector([1, 2], 'float32'), scalar(0, 'int32')],
  ],
  ['integers as reals', [vector([1], 'int32'), scalar(1, 'float32'), scalar(0, 'int32')]],
])('%s is refused', (_title, args) => {
  const of = callOp(
    standardOps,
    'qnn.quantize',
    args.map((arg) => constant(arg)),
  );
  expect(isLeft(evaluateCall(standardOps, of, args))).toBe(true);
});
