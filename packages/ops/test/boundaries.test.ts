/**
 * Operators in corner cases: very large numbers, integers that no double can hold, every begin, end
 * and stride of a slice, every pair of layouts.
 */
import type { AttrValue } from '@baton/ir';
import type { OpValue } from '@baton/ops';
import { type DType, isTensor, type Tensor, tensor, toNested } from '@baton/tensor';
import { describe, expect, it } from 'vitest';
import { sliceRange } from '../src/relation/slice.ts';
import { elements, f32 } from './kernels-support.ts';
import { run } from './support.ts';

type Attributes = Readonly<Record<string, AttrValue>>;

const { NaN: nan, NEGATIVE_INFINITY: negInf } = Number;

function tensorOf(value: OpValue): Tensor {
  if (!isTensor(value)) throw new Error('the operator gives one tensor');
  return value;
}

const valuesOf = (value: OpValue): (number | bigint)[] =>
  isTensor(value) ? elements(value) : value.flatMap(valuesOf);

const vector = (values: ReadonlyArray<number | bigint>, dtype: DType): Tensor =>
  tensor(values, [values.length], dtype);

describe('a row far below zero', () => {
  it.each<[string, ReadonlyArray<number>, Attributes, ReadonlyArray<number>]>([
    ['nn.softmax', [-1000, -1000], {}, [0.5, 0.5]],
    ['nn.softmax', [-3e38, -1000], {}, [0, 1]],
    ['nn.fast_softmax', [-1000, -1000], {}, [0.5, 0.5]],
    ['nn.log_softmax', [-1000, -1000], {}, [-Math.LN2, -Math.LN2]],
    ['nn.log_softmax', [-3e38, -1000], {}, [-3e38, 0]],
    ['max', [-5, -3e38, -7], {}, [-5]],
    ['min', [5, 3e38, 7], {}, [5]],
    ['argmax', [-5, -3, -7], {}, [1]],
    ['argmin', [5, 3, 7], {}, [1]],
    ['nn.l2_normalize', [-3e18, -4e18], { eps: 1e-10, axis: [0] }, [-0.6, -0.8]],
    ['cumsum', [-3, -5], {}, [-3, -8]],
    ['sigmoid', [-1000, 1000], {}, [0, 1]],
    ['tanh', [-1000, 1000], {}, [-1, 1]],
    ['sinh', [-1000, 1000], {}, [negInf, Number.POSITIVE_INFINITY]],
    ['asinh', [-1e30, 1e30], {}, [-69.77067, 69.77067]],
    ['erf', [-10, 10], {}, [-1, 1]],
  ])('%s of %j', (name, values, attrs, expected) => {
    const found = valuesOf(run(name, [f32(values)], attrs)).map(Number);
    expect(found.map((v, i) => close(v, expected[i] ?? nan))).toEqual(found.map(() => true));
    expect(found.length).toBe(expected.length);
  });

  it.each(['nn.max_pool2d', 'nn.global_max_pool2d', 'nn.adaptive_max_pool2d'])('%s', (name) => {
    const attrs = name === 'nn.max_pool2d' ? { pool_size: [2, 2], padding: [1, 1] } : {};
    const x = tensor([-5, -3, -7, -9], [1, 1, 2, 2], 'float32');
    const size = name === 'nn.adaptive_max_pool2d' ? { output_size: [1, 1] } : {};
    const least = valuesOf(run(name, [x], { ...attrs, ...size })).map(Number);
    expect(Math.max(...least)).toBe(-3);
    expect(Math.min(...least)).toBe(name === 'nn.max_pool2d' ? -9 : -3);
  });
});

const close = (a: number, b: number): boolean =>
  Object.is(a, b) || Math.abs(a - b) <= 1e-5 * Math.max(1, Math.abs(b));

/** An odd number, so that neither it nor its neighbours are doubles. */
const B = 2n ** 60n + 1n;
const TOP = 2n ** 63n - 1n;

describe('whole numbers beyond 2^53', () => {
  it.each<[string, ReadonlyArray<ReadonlyArray<bigint>>, Attributes, ReadonlyArray<bigint>]>([
    ['mean', [[B, B + 2n]], {}, [B + 1n]],
    ['mean', [[-B, -B - 2n, -B - 1n]], {}, [-B - 1n]],
    ['sum', [[B, 3n]], {}, [B + 3n]],
    ['prod', [[B, 3n]], {}, [3n * B]],
    ['max', [[B, B + 1n, B - 1n]], {}, [B + 1n]],
    ['min', [[B, B + 1n, B - 1n]], {}, [B - 1n]],
    ['argmax', [[B, B + 1n, B - 1n]], {}, [1n]],
    ['argmin', [[B, B + 1n, B - 1n]], {}, [2n]],
    ['cumsum', [[B, 2n, -1n]], { axis: 0 }, [B, B + 2n, B + 1n]],
    ['cumsum', [[B, 2n, -1n]], { axis: 0, exclusive: true }, [0n, B, B + 2n]],
    ['cumprod', [[B, 3n, -1n]], { axis: 0 }, [B, 3n * B, -3n * B]],
    ['sort', [[B + 1n, B, B + 2n]], {}, [B, B + 1n, B + 2n]],
    ['sort', [[B + 1n, B, B + 2n]], { is_ascend: false }, [B + 2n, B + 1n, B]],
    ['argsort', [[B + 1n, B, B + 2n]], { dtype: 'int64' }, [1n, 0n, 2n]],
    ['topk', [[B + 1n, B, B + 2n]], { k: 2, ret_type: 'values' }, [B + 2n, B + 1n]],
    ['add', [[B], [1n]], {}, [B + 1n]],
    ['subtract', [[B], [2n]], {}, [B - 2n]],
    ['multiply', [[B], [3n]], {}, [3n * B]],
    ['divide', [[3n * B], [3n]], {}, [B]],
    ['floor_divide', [[-3n * B], [3n]], {}, [-B]],
    ['trunc_divide', [[-3n * B], [3n]], {}, [-B]],
    ['mod', [[B + 5n], [B]], {}, [5n]],
    ['floor_mod', [[-B - 1n], [B]], {}, [B - 1n]],
    ['trunc_mod', [[-B - 1n], [B]], {}, [-1n]],
    ['maximum', [[B], [B + 1n]], {}, [B + 1n]],
    ['minimum', [[B], [B - 1n]], {}, [B - 1n]],
    ['power', [[2n ** 31n - 1n], [2n]], {}, [(2n ** 31n - 1n) ** 2n]],
    ['left_shift', [[2n ** 31n + 1n], [29n]], {}, [B + 2n ** 29n - 1n]],
    ['right_shift', [[TOP], [1n]], {}, [2n ** 62n - 1n]],
    ['bitwise_and', [[B], [TOP]], {}, [B]],
    ['bitwise_or', [[B], [2n]], {}, [B + 2n]],
    ['bitwise_xor', [[B], [B]], {}, [0n]],
    ['bitwise_not', [[B]], {}, [-B - 1n]],
    ['abs', [[-B, B]], {}, [B, B]],
    ['negative', [[-B, B]], {}, [B, -B]],
    ['sign', [[-B, B, 0n]], {}, [-1n, 1n, 0n]],
    ['copy', [[B]], {}, [B]],
    ['cast', [[B]], { dtype: 'uint64' }, [B]],
    ['reverse', [[B, 1n]], { axis: 0 }, [1n, B]],
    ['take', [[1n, B], [1n]], { axis: 0 }, [B]],
    ['gather', [[1n, B], [1n]], { axis: 0 }, [B]],
    ['scatter_elements', [[1n, 2n], [1n], [B]], { axis: 0 }, [1n, B]],
    ['scatter_elements', [[1n, 2n], [1n], [B]], { axis: 0, reduction: 'add' }, [1n, B + 2n]],
    ['scatter_elements', [[1n, 2n], [1n], [B]], { axis: 0, reduction: 'mul' }, [1n, 2n * B]],
    ['scatter_elements', [[1n, B], [1n], [B + 1n]], { axis: 0, reduction: 'max' }, [1n, B + 1n]],
    ['scatter_elements', [[1n, B], [1n], [B - 1n]], { axis: 0, reduction: 'min' }, [1n, B - 1n]],
    ['repeat', [[B]], { repeats: 2, axis: 0 }, [B, B]],
    ['tile', [[B]], { reps: [2] }, [B, B]],
    ['strided_slice', [[1n, B]], { begin: [1], end: [2] }, [B]],
    ['nn.relu', [[-B, B]], {}, [0n, B]],
    [
      'nn.prelu',
      [
        [-B, 0n, B],
        [3n, 3n, 3n],
      ],
      { axis: 0 },
      [-3n * B, 0n, B],
    ],
    [
      'einsum',
      [
        [B, 1n],
        [1n, 2n],
      ],
      { equation: 'i,i->' },
      [B + 2n],
    ],
  ])('%s of %s', (name, args, attrs, expected) => {
    const values = args.map((list) => vector(list, 'int64'));
    const given = name === 'einsum' ? [values] : values;
    expect(valuesOf(run(name, given, attrs)).map(BigInt)).toEqual(expected);
  });

  it.each([
    ['equal', [false, true, false]],
    ['not_equal', [true, false, true]],
    ['less', [false, false, true]],
    ['less_equal', [false, true, true]],
    ['greater', [true, false, false]],
    ['greater_equal', [true, true, false]],
  ] as const)('are not merged by %s', (name, expected) => {
    const [a, b] = [vector([B + 1n, B, B - 1n], 'int64'), vector([B, B, B], 'int64')];
    expect(toNested(tensorOf(run(name, [a, b])))).toEqual(expected);
  });

  it('multiply as matrices', () => {
    const a = tensor([B, 1n], [1, 2], 'int64');
    const b = tensor([1n, 2n], [1, 2], 'int64');
    expect(valuesOf(run('nn.dense', [a, b]))).toEqual([B + 2n]);
    expect(valuesOf(run('nn.matmul', [a, b], { transpose_b: true }))).toEqual([B + 2n]);
  });

  it('are counted one by one in a range', () => {
    const bounds = [2n ** 53n, 2n ** 53n + 4n, 1n].map((bound) => tensor([bound], [], 'int64'));
    const expected = [0n, 1n, 2n, 3n].map((i) => 2n ** 53n + i);
    expect(valuesOf(run('arange', bounds, { dtype: 'int64' }))).toEqual(expected);
  });

  it('stay beside each other where one of two is chosen', () => {
    const condition = vector([1, 0], 'bool');
    const [a, b] = [vector([B, B], 'int64'), vector([B + 1n, B + 1n], 'int64')];
    expect(valuesOf(run('where', [condition, a, b]))).toEqual([B, B + 1n]);
  });
});

/** The indices that Python's `list[begin:end:stride]` selects, step by step. */
function walked(dim: number, begin: number, end: number, stride: number): number[] {
  const from = begin < 0 ? begin + dim : begin;
  const to = end < 0 ? end + dim : end;
  const places: number[] = [];
  if (stride > 0)
    for (let i = Math.max(from, 0); i < Math.min(to, dim); i += stride) places.push(i);
  else for (let i = Math.min(from, dim - 1); i > Math.max(to, -1); i += stride) places.push(i);
  return places;
}

describe('a slice', () => {
  const strides = [1, 2, 3, -1, -2, -3];
  it.each(strides)('by %d takes the same elements as a walk over the axis', (stride) => {
    for (let dim = 0; dim <= 4; dim++) {
      for (let begin = -dim - 2; begin <= dim + 2; begin++) {
        for (let end = -dim - 2; end <= dim + 2; end++) {
          const expected = walked(dim, begin, end, stride);
          const range = sliceRange(dim, { begin, end, stride });
          const found = Array.from({ length: range?.size ?? 0 }, (_, i) =>
            range === undefined ? nan : range.begin + i * range.stride,
          );
          expect({ dim, begin, end, places: found }).toEqual({ dim, begin, end, places: expected });
        }
      }
    }
  });

  it.each(strides)('by %d without bounds takes the whole axis', (stride) => {
    for (let dim = 0; dim <= 4; dim++) {
      const range = sliceRange(dim, { begin: undefined, end: undefined, stride });
      expect(range?.size).toBe(Math.ceil(dim / Math.abs(stride)));
      expect(range?.begin).toBe(stride > 0 ? 0 : dim - 1);
    }
  });

  it.each<[number[], number[], number[], number[]]>([
    [[3], [0], [-1], [3, 2, 1]],
    [[3], [1], [-2], [3]],
    [[-1], [-4], [-1], [4, 3, 2]],
    [[4], [-6], [-1], [4, 3, 2, 1, 0]],
    [[4], [-6], [-2], [4, 2, 0]],
    [[9], [2], [-1], [4, 3]],
    [[0], [9], [2], [0, 2, 4]],
  ])('from %j to %j by %j is %j', (begin, end, by, expected) => {
    const x = f32([0, 1, 2, 3, 4]);
    expect(valuesOf(run('strided_slice', [x], { begin, end, strides: by }))).toEqual(expected);
    const v = f32(expected.map((value) => -value - 1));
    const set = ['begin', 'end', 'strides'].map((_, i) =>
      vector([begin, end, by][i] ?? [], 'int64'),
    );
    const written = valuesOf(run('strided_set', [x, v, ...set]));
    const wanted = [0, 1, 2, 3, 4].map((value) => (expected.includes(value) ? -value - 1 : value));
    expect(written).toEqual(wanted);
  });
});
