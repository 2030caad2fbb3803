import { type DType, type Tensor, tensor, tensorsEqual, toNested } from '@baton/tensor';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as kernels from '../src/kernels/reduce.ts';
import * as folds from '../src/scalar/folds.ts';
import { at, build, elements, f32, gridTensor, indices, SEED } from './kernels-support.ts';

const { NaN: nan, POSITIVE_INFINITY: inf } = Number;
const whole = { axes: [0], keepDims: false };

interface Options {
  readonly axes: ReadonlyArray<number>;
  readonly keepDims: boolean;
}

const reducing =
  (fold: folds.FoldOf, { isMean = false, out }: { isMean?: boolean; out?: DType } = {}) =>
  (x: Tensor, { axes, keepDims }: Options): Tensor => {
    const shape = x.shape.flatMap((dim, axis) =>
      axes.includes(axis) ? (keepDims ? [1] : []) : [dim],
    );
    const divisor = isMean ? kernels.sizeAlong(x, axes) : undefined;
    const result = { shape, dtype: out ?? x.dtype };
    return kernels.reduce(x, { fold: fold(x.dtype), axes, divisor }, result);
  };

type Selecting = Options & { readonly selectLast: boolean };

const finding =
  (place: (isLast: boolean) => folds.FoldOf) =>
  (x: Tensor, { selectLast, ...options }: Selecting): Tensor =>
    reducing(place(selectLast), { out: 'int32' })(x, options);

const reduce = {
  sum: reducing(folds.SUM),
  prod: reducing(folds.PRODUCT),
  max: reducing(folds.GREATEST),
  min: reducing(folds.LEAST),
  mean: reducing(folds.SUM, { isMean: true }),
  all: reducing(folds.EVERY, { out: 'bool' }),
  any: reducing(folds.SOME, { out: 'bool' }),
  argmax: finding(folds.placeOfGreatest),
  argmin: finding(folds.placeOfLeast),
} as const;

/** A tensor, some of its axes, and whether they are kept. */
const anyReduction = (dtype: DType) =>
  fc
    .record({
      shape: fc.array(fc.constantFrom(1, 2, 3, 5), { minLength: 1, maxLength: 4 }),
      chosen: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
      keepDims: fc.boolean(),
    })
    .chain(({ shape, chosen, keepDims }) =>
      fc.record({
        x: gridTensor(shape, dtype),
        options: fc.constant({
          axes: shape.flatMap((_, axis) => (chosen[axis] ? [axis] : [])),
          keepDims,
        }),
      }),
    );

/** Passes the reduced elements of each result to `combine`, in row-major order. */
function naive(
  x: Tensor,
  { axes, keepDims }: Options,
  dtype: DType,
  combine: (values: number[]) => number,
): Tensor {
  const groups = new Map<string, number[]>();
  const kept = x.shape.map((dim, axis) => (axes.includes(axis) ? 1 : dim));
  for (const index of indices(x.shape)) {
    const key = index.map((i, axis) => (axes.includes(axis) ? 0 : i)).join();
    groups.set(key, [...(groups.get(key) ?? []), at(x, index)]);
  }
  const t = build(kept, dtype, (index) => combine(groups.get(index.join()) ?? []));
  const shape = keepDims ? kept : kept.filter((_, axis) => !axes.includes(axis));
  return tensor(t.data, shape, dtype);
}

const total = (values: number[]) => values.reduce((a, b) => a + b, 0);

describe.each<DType>(['float32', 'float16', 'float64', 'int8', 'int32', 'uint16', 'int64'])(
  'of %s',
  (dtype) => {
    const isFloat = dtype.startsWith('float');
    it.each<[string, (x: Tensor, o: Options) => Tensor, (v: number[]) => number, DType]>([
      ['sum', reduce.sum, total, dtype],
      ['max', reduce.max, (v) => Math.max(...v), dtype],
      ['min', reduce.min, (v) => Math.min(...v), dtype],
      [
        'mean',
        reduce.mean,
        (v) => (isFloat ? total(v) : Math.trunc(wrapped(total(v), dtype))) / v.length,
        dtype,
      ],
      ['all', reduce.all, (v) => Number(v.every((e) => e !== 0)), 'bool'],
      ['any', reduce.any, (v) => Number(v.some((e) => e !== 0)), 'bool'],
    ])('%s agrees with the definition over any axes', (_, kernel, combine, out) => {
      fc.assert(
        fc.property(anyReduction(dtype), ({ x, options }) => {
          expect(tensorsEqual(kernel(x, options), naive(x, options, out, combine))).toBe(true);
        }),
        { seed: SEED, numRuns: 60 },
      );
    });

    it.each([false, true])(
      'argmax and argmin find the index, the last of equals: %s',
      (selectLast) => {
        fc.assert(
          fc.property(anyReduction(dtype), ({ x, options }) => {
            const found = { ...options, selectLast };
            const find = (v: number[], e: number) => (selectLast ? v.lastIndexOf(e) : v.indexOf(e));
            const most = naive(x, options, 'int32', (v) => find(v, Math.max(...v)));
            const least = naive(x, options, 'int32', (v) => find(v, Math.min(...v)));
            expect(tensorsEqual(reduce.argmax(x, found), most)).toBe(true);
            expect(tensorsEqual(reduce.argmin(x, found), least)).toBe(true);
          }),
          { seed: SEED, numRuns: 60 },
        );
      },
    );
  },
);

describe('special values', () => {
  it('propagate NaN, and take its first index', () => {
    const x = f32([1, nan, 5, nan]);
    expect([elements(reduce.max(x, whole)), elements(reduce.min(x, whole))]).toEqual([
      [nan],
      [nan],
    ]);
    for (const selectLast of [false, true]) {
      const options = { ...whole, selectLast };
      expect(elements(reduce.argmax(x, options))).toEqual([1]);
      expect(elements(reduce.argmin(x, options))).toEqual([1]);
    }
  });

  it('of nothing are the units', () => {
    const none = f32([]);
    const ints = tensor([], [0], 'int64');
    expect(elements(reduce.sum(none, whole))).toEqual([0]);
    expect(elements(reduce.prod(none, whole))).toEqual([1]);
    expect(elements(reduce.max(none, whole))).toEqual([-inf]);
    expect(elements(reduce.min(ints, whole))).toEqual([2n ** 63n - 1n]);
    expect(elements(reduce.mean(none, whole))).toEqual([nan]);
    expect(elements(reduce.mean(ints, whole))).toEqual([0n]);
    expect(elements(reduce.all(none, whole))).toEqual([1]);
  });

  it('wrap for integers', () => {
    expect(elements(reduce.sum(tensor([100, 100], [2], 'int8'), whole))).toEqual([-56]);
    expect(elements(reduce.sum(tensor([2 ** 31, 2 ** 31, 1], [3], 'uint32'), whole))).toEqual([1]);
    expect(elements(reduce.sum(tensor([2n ** 62n, 2n ** 62n], [2], 'int64'), whole))).toEqual([
      -(2n ** 63n),
    ]);
    expect(elements(reduce.prod(tensor([65537, 65537], [2], 'int32'), whole))).toEqual([131073]);
    expect(elements(reduce.prod(tensor([2n ** 32n, 2n ** 32n], [2], 'uint64'), whole))).toEqual([
      0n,
    ]);
    expect(elements(reduce.mean(tensor([-3, -4], [2], 'int32'), whole))).toEqual([-3]);
    expect(elements(reduce.mean(tensor([100, 101], [2], 'int8'), whole))).toEqual([-27]);
    expect(elements(reduce.mean(tensor([200, 101], [2], 'uint8'), whole))).toEqual([22]);
  });

  it('of bool are logical', () => {
    const x = tensor([1, 1, 0], [3], 'bool');
    const kernels = [reduce.sum, reduce.max, reduce.any, reduce.prod, reduce.min, reduce.all];
    expect(kernels.map((kernel) => toNested(kernel(x, whole)))).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it('keep the digits that float32 sums would lose', () => {
    expect(elements(reduce.sum(f32([2 ** 24, 1, 1]), whole))).toEqual([2 ** 24 + 2]);
  });
});

describe('variance', () => {
  it.each([
    [false, 1.25],
    [true, 1.6666666269302368],
  ])('has the values of C163 (unbiased: %s)', (unbiased, expected) => {
    const options = { axes: [0], isUnbiased: unbiased };
    const found = kernels.variance(f32([1, 2, 3, 4]), f32([2.5]), options, []);
    expect(elements(found)).toEqual([expected]);
  });
});

describe('sumTo', () => {
  it.each([[[3, 5]], [[5]], [[1, 5]], [[2, 3, 5]], [[]], [[1, 1, 1]], [[3, 1]]])(
    '%j undoes a broadcast to (2, 3, 5)',
    (shape) => {
      fc.assert(
        fc.property(gridTensor([2, 3, 5]), (x) => {
          const expected = build(shape, 'float32', (target) => {
            const lead = 3 - shape.length;
            const hit = (index: number[]) =>
              target.every((i, axis) => shape[axis] === 1 || i === index[axis + lead]);
            return total(
              indices([2, 3, 5])
                .filter(hit)
                .map((index) => at(x, index)),
            );
          });
          expect(tensorsEqual(kernels.sumTo(x, shape), expected)).toBe(true);
        }),
        { seed: SEED, numRuns: 10 },
      );
    },
  );
});

function wrapped(value: number, dtype: DType): number {
  return Number(elements(tensor([value], [], dtype))[0]);
}
