import { type DType, type Tensor, tensor, tensorsEqual, toNested } from '@baton/tensor';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PoolOptions } from '../src/kernels/pool.ts';
import { at, build, elements, f32, gridTensor, indices, SEED } from './kernels-support.ts';
import { run } from './support.ts';

const { NaN: nan, NEGATIVE_INFINITY: negInf } = Number;

const pooling =
  (name: 'max' | 'avg') =>
  (x: Tensor, options: AvgPoolOptions): Tensor =>
    run(`nn.${name}_pool${x.shape.length - 2}d`, [x], {
      strides: options.strides,
      padding: options.padding,
      dilation: options.dilation,
      pool_size: options.poolSize,
      ceil_mode: options.ceilMode,
      ...(name === 'avg' && { count_include_pad: options.countIncludePad ?? false }),
    }) as Tensor;

type AvgPoolOptions = PoolOptions & { readonly countIncludePad?: boolean };

const [maxPool, avgPool] = [pooling('max'), pooling('avg')];
const globalPool =
  (name: 'max' | 'avg') =>
  (x: Tensor): Tensor =>
    run(`nn.global_${name}_pool2d`, [x]) as Tensor;
const [globalMaxPool, globalAvgPool] = [globalPool('max'), globalPool('avg')];
const adaptivePool =
  (name: 'max' | 'avg') =>
  (x: Tensor, size: ReadonlyArray<number>): Tensor =>
    run(`nn.adaptive_${name}_pool2d`, [x], { output_size: size }) as Tensor;
const [adaptiveMaxPool, adaptiveAvgPool] = [adaptivePool('max'), adaptivePool('avg')];

/**
 * Passes each window's elements inside the data, and the number of those in the padding, to
 * `combine`.
 */
function naivePool(
  x: Tensor,
  o: PoolOptions,
  combine: (cells: number[], counted: number) => number,
) {
  const [batch, channels, ...input] = x.shape as [number, number, ...number[]];
  const counts = input.map((dim, i) => {
    const pads = (o.padding[i] as number) + (o.padding[i + input.length] as number);
    const reach = (o.dilation[i] as number) * ((o.poolSize[i] as number) - 1) + 1;
    const room = (dim + pads - reach) / (o.strides[i] as number);
    return (o.ceilMode ? Math.ceil(room) : Math.floor(room)) + 1;
  });
  return build([batch, channels, ...counts], x.dtype, ([n, c, ...place]) => {
    const taps = indices(o.poolSize);
    const places = taps.map((tap) =>
      tap.map(
        (k, i) =>
          (place[i] as number) * (o.strides[i] as number) +
          k * (o.dilation[i] as number) -
          (o.padding[i] as number),
      ),
    );
    const cells = places
      .filter((cell) => cell.every((p, i) => p >= 0 && p < (input[i] as number)))
      .map((cell) => at(x, [n as number, c as number, ...cell]));
    const counted = places.filter((cell) =>
      cell.every((p, i) => {
        const [before, after] = [o.padding[i] as number, o.padding[i + input.length] as number];
        return p >= -before && p < (input[i] as number) + after;
      }),
    );
    return combine(cells, counted.length);
  });
}

const small = (min: number, max: number, rank: number) =>
  fc.array(fc.integer({ min, max }), { minLength: rank, maxLength: rank });

const anyPooling = (rank: number, dtype: DType) =>
  fc
    .record({
      poolSize: small(1, 3, rank),
      strides: small(1, 3, rank),
      dilation: small(1, 2, rank),
      padding: small(0, 1, 2 * rank),
      extra: small(0, 4, rank),
      ceilMode: fc.boolean(),
    })
    .chain((options) => {
      const input = options.poolSize.map(
        (k, i) => (k - 1) * (options.dilation[i] as number) + 1 + (options.extra[i] as number),
      );
      return fc.record({ x: gridTensor([2, 3, ...input], dtype), options: fc.constant(options) });
    });

describe.each([1, 2, 3])('pooling of %d axes', (rank) => {
  it.each<DType>(['float32', 'float16', 'int8', 'int64', 'uint8'])(
    'of %s agrees with the definition',
    (dtype) => {
      const isFloat = dtype.startsWith('float');
      const least = isFloat
        ? negInf
        : Number({ int8: -128, uint8: 0, int64: -(2n ** 63n) }[dtype as 'int8']);
      const average = (cells: number[], count: number) => {
        const quotient = cells.reduce((a, b) => a + b, 0) / Math.max(count, 1);
        return isFloat ? quotient : Math.trunc(quotient);
      };
      fc.assert(
        fc.property(anyPooling(rank, dtype), ({ x, options }) => {
          expect(
            tensorsEqual(
              maxPool(x, options),
              naivePool(x, options, (c) => Math.max(least, ...c)),
            ),
          ).toBe(true);
          const inside = naivePool(x, options, (cells) => average(cells, cells.length));
          expect(tensorsEqual(avgPool(x, { ...options, countIncludePad: false }), inside)).toBe(
            true,
          );
          const all = naivePool(x, options, average);
          expect(tensorsEqual(avgPool(x, { ...options, countIncludePad: true }), all)).toBe(true);
        }),
        { seed: SEED, numRuns: rank === 3 ? 20 : 50 },
      );
    },
  );
});

const square = {
  poolSize: [2, 2],
  strides: [1, 1],
  padding: [0, 0, 0, 0],
  dilation: [1, 1],
  ceilMode: false,
};

describe('pooling', () => {
  it('counts padding or not, as C175', () => {
    const ones = f32([1, 1, 1, 1], [1, 1, 2, 2]);
    const options = { ...square, padding: [1, 1, 1, 1] };
    const inside = avgPool(ones, { ...options, countIncludePad: false });
    expect(elements(inside)).toEqual(new Array(9).fill(1));
    expect(at(avgPool(ones, { ...options, countIncludePad: true }), [0, 0, 0, 0])).toBe(0.25);
  });

  it('propagates NaN', () => {
    const x = f32([1, nan, 3, 4], [1, 1, 2, 2]);
    expect(elements(maxPool(x, square))).toEqual([nan]);
    expect(elements(globalMaxPool(x))).toEqual([nan]);
    expect(elements(avgPool(x, { ...square, countIncludePad: false }))).toEqual([nan]);
  });

  it('of booleans is true if all are, or some', () => {
    const x = tensor([1, 1, 0, 1, 1, 0], [1, 1, 2, 3], 'bool');
    expect(elements(maxPool(x, square))).toEqual([1, 1]);
    expect(elements(avgPool(x, square))).toEqual([1, 0]);
  });

  it('keeps 64-bit integers exact', () => {
    const x = tensor([2n ** 60n + 1n, 2n ** 60n, -1n, 1n], [1, 1, 2, 2], 'int64');
    expect(elements(maxPool(x, square))).toEqual([2n ** 60n + 1n]);
    expect(elements(avgPool(x, { ...square, countIncludePad: false }))).toEqual([2n ** 59n]);
  });
});

describe('global and adaptive pooling', () => {
  it('over all spatial axes keep them with size 1', () => {
    const x = f32([1, 2, 3, 6, -1, -2, -3, -6], [1, 2, 2, 2]);
    expect(toNested(globalMaxPool(x))).toEqual([[[[6]], [[-1]]]]);
    expect(toNested(globalAvgPool(x))).toEqual([[[[3]], [[-3]]]]);
  });

  it('of any size agree with the definition', () => {
    const problem = fc
      .tuple(small(1, 7, 2), small(1, 4, 2))
      .chain(([input, output]) => fc.tuple(gridTensor([2, 3, ...input]), fc.constant(output)));
    fc.assert(
      fc.property(problem, ([x, output]) => {
        const input = x.shape.slice(2);
        const cellsOf = ([n, c, ...place]: number[]) => {
          const ranges = place.map((i, a) => {
            const [dim, size] = [input[a] as number, output[a] as number];
            const first = Math.floor((i * dim) / size);
            const end = Math.ceil(((i + 1) * dim) / size);
            return Array.from({ length: end - first }, (_, k) => first + k);
          });
          const [rows = [], cols = []] = ranges;
          return rows.flatMap((r) => cols.map((q) => at(x, [n as number, c as number, r, q])));
        };
        const shape = [2, 3, ...output];
        const most = build(shape, 'float32', (index) => Math.max(...cellsOf(index)));
        const mean = build(shape, 'float32', (index) => {
          const cells = cellsOf(index);
          return cells.reduce((a, b) => a + b, 0) / cells.length;
        });
        expect(tensorsEqual(adaptiveMaxPool(x, output), most)).toBe(true);
        expect(tensorsEqual(adaptiveAvgPool(x, output), mean)).toBe(true);
      }),
      { seed: SEED, numRuns: 60 },
    );
  });
});
