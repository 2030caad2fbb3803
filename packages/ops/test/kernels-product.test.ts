import {
  type DType,
  describeTensor,
  heap,
  type Tensor,
  tensor,
  tensorsEqual,
  toNested,
  transposeView,
} from '@baton/tensor';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isThorough } from '../../../test/tier.ts';
import { convolve } from '../src/families/conv.ts';
import { batchLabels, contractionOf, matrixLabels } from '../src/form/contraction.ts';
import { contract } from '../src/kernels/contraction.ts';
import {
  type ConvolutionOptions,
  convolutionTranspose,
  type TransposeOptions,
} from '../src/kernels/convolution.ts';
import { at, atBroadcast, build, f32, gridTensor, indices, SEED } from './kernels-support.ts';

interface MatmulOptions {
  readonly transposeA?: boolean;
  readonly transposeB?: boolean;
  readonly outDtype?: DType;
}

/** Of matrices, or of one matrix for each index of the outer axes, which broadcast. */
function matmul(a: Tensor, b: Tensor, options: MatmulOptions = {}): Tensor {
  const { transposeA = false, transposeB = false, outDtype = a.dtype } = options;
  const labels =
    b.shape.length === 2
      ? matrixLabels(a.shape.length, transposeA, transposeB)
      : batchLabels(transposeA, transposeB);
  return contract(contractionOf(labels, [a.shape, b.shape]), [a, b], outDtype);
}

const dense = (x: Tensor, w: Tensor): Tensor => matmul(x, w, { transposeB: true });

const convolution = (x: Tensor, w: Tensor, options: ConvolutionOptions): Tensor =>
  convolve(x, w, options, heap);

const dtypes: ReadonlyArray<DType> = [
  'int8',
  'int16',
  'int32',
  'int64',
  'uint8',
  'uint16',
  'uint32',
  'uint64',
  'float16',
  'float32',
  'float64',
  'bfloat16',
];

function expectSame(found: Tensor, expected: Tensor): void {
  const same = tensorsEqual(found, expected);
  if (!same) expect(describeTensor(found)).toBe(describeTensor(expected));
  expect(same).toBe(true);
}

/** Sums by the definition, wrapped or rounded when stored. */
function naiveMatmul(a: Tensor, b: Tensor, out: DType): Tensor {
  const [m, k] = a.shape.slice(-2) as [number, number];
  const n = b.shape[b.shape.length - 1] as number;
  const rank = Math.max(a.shape.length, b.shape.length);
  const batch = Array.from({ length: rank - 2 }, (_, i) =>
    Math.max(a.shape[a.shape.length - rank + i] ?? 1, b.shape[b.shape.length - rank + i] ?? 1),
  );
  return build([...batch, m, n], out, (index) => {
    const outer = index.slice(0, -2);
    const [i, j] = index.slice(-2) as [number, number];
    let sum = 0;
    for (let s = 0; s < k; s++)
      sum += atBroadcast(a, [...outer, i, s]) * atBroadcast(b, [...outer, s, j]);
    return sum;
  });
}

describe('matmul', () => {
  const dim = fc.constantFrom(1, 2, 3, 5, 7, 13);

  it.each(dtypes)('of %s agrees with the definition, transposed or not', (dtype) => {
    const operands = fc
      .record({
        m: dim,
        k: fc.oneof(dim, fc.constant(0)),
        n: dim,
        ta: fc.boolean(),
        tb: fc.boolean(),
      })
      .chain(({ m, k, n, ta, tb }) =>
        fc.tuple(
          gridTensor(ta ? [k, m] : [m, k], dtype),
          gridTensor(tb ? [n, k] : [k, n], dtype),
          fc.constant({ transposeA: ta, transposeB: tb }),
        ),
      );
    fc.assert(
      fc.property(operands, ([a, b, options]) => {
        const plain = (t: Tensor, flip: boolean) => (flip ? transposeView(t, [1, 0]) : t);
        const expected = naiveMatmul(
          plain(a, options.transposeA),
          plain(b, options.transposeB),
          dtype,
        );
        expectSame(matmul(a, b, options), expected);
      }),
      { seed: SEED, numRuns: 40 },
    );
  });

  it('broadcasts the outer axes', () => {
    fc.assert(
      fc.property(gridTensor([1, 3, 5]), gridTensor([7, 5, 2]), (a, b) => {
        expectSame(matmul(a, b), naiveMatmul(a, b, 'float32'));
      }),
      { seed: SEED, numRuns: 20 },
    );
  });

  it('agrees with the definition across the borders of blocks', () => {
    const value = (i: number) => ((i * 37) % 17) / 8 - 1;
    const list = (count: number) => Array.from({ length: count }, (_, i) => value(i));
    for (const [m, k, n] of [
      ...(isThorough
        ? ([
            [66, 257, 194],
            [64, 256, 192],
            [3, 513, 385],
          ] as const)
        : []),
      [66, 257, 3],
      [3, 257, 194],
      [64, 4, 192],
      [129, 3, 193],
      [2, 300, 200],
      [200, 300, 2],
    ] as const) {
      const [a, b] = [f32(list(m * k), [m, k]), f32(list(k * n), [k, n])];
      expectSame(matmul(a, b), naiveMatmul(a, b, 'float32'));
    }
  });

  it.each<[DType, number | bigint, number | bigint]>([
    ['int8', 100, 100 * 100],
    ['int32', 2 ** 20 + 1, Number(BigInt.asIntN(32, (2n ** 20n + 1n) ** 2n))],
    ['uint32', 2 ** 31 + 1, 1],
    ['int64', 2n ** 40n + 1n, BigInt.asIntN(64, (2n ** 40n + 1n) ** 2n)],
    ['uint64', 2n ** 63n + 1n, 1n],
  ])('wraps products of %s', (dtype, x, product) => {
    const a = tensor([x], [1, 1], dtype);
    expectSame(matmul(a, a), tensor([product], [1, 1], dtype));
  });

  it.each<[DType, DType, number]>([
    ['int8', 'int32', 30_000],
    ['uint8', 'int64', 30_000],
    ['int32', 'int64', 30_000],
    ['int32', 'float32', 30_000],
    ['float16', 'float32', 30_000],
    ['float32', 'int32', 30_000],
    ['float32', 'int64', 30_000],
  ])('of %s sums into %s', (dtype, outDtype, expected) => {
    const a = tensor([100, 100, 100], [1, 3], dtype);
    expectSame(matmul(a, a, { transposeB: true, outDtype }), tensor([expected], [1, 1], outDtype));
  });

  it.each<DType>(['int16', 'int32', 'int64'])('of %s is true where a sum is not 0', (dtype) => {
    const [a, b] = [tensor([16, 0], [2, 1], dtype), tensor([16], [1, 1], dtype)];
    expectSame(matmul(a, b, { outDtype: 'bool' }), tensor([1, 0], [2, 1], 'bool'));
  });

  it('adds up in double and rounds once', () => {
    const a = f32([2 ** 24, 1, 1], [1, 3]);
    expect(toNested(matmul(a, f32([1, 1, 1], [3, 1])))).toEqual([[2 ** 24 + 2]]);
  });
});

describe('dense', () => {
  it('agrees with matmul of the transposed weight (C178), whatever the leading axes', () => {
    fc.assert(
      fc.property(gridTensor([2, 3, 5]), gridTensor([7, 5]), (x, w) => {
        expectSame(dense(x, w), matmul(x, w, { transposeB: true }));
        expectSame(dense(x, w), naiveMatmul(x, transposeView(w, [1, 0]), 'float32'));
      }),
      { seed: SEED, numRuns: 20 },
    );
  });

  it('takes a vector', () => {
    expect(toNested(dense(f32([1, 2]), f32([1, 0, 0, 1, 1, 1], [3, 2])))).toEqual([1, 2, 3]);
  });
});

/** Cross-correlation, window by window. */
function naiveConvolution(x: Tensor, w: Tensor, options: ConvolutionOptions): Tensor {
  const { strides, padding, dilation, groups } = options;
  const [batch, channels, ...input] = x.shape as [number, number, ...number[]];
  const [outputs, perGroup, ...kernel] = w.shape as [number, number, ...number[]];
  expect(perGroup * groups).toBe(channels);
  const windows = input.map((dim, i) => {
    const pads = (padding[i] as number) + (padding[i + input.length] as number);
    const reach = (dilation[i] as number) * ((kernel[i] as number) - 1) + 1;
    return Math.floor((dim + pads - reach) / (strides[i] as number)) + 1;
  });
  return build([batch, outputs, ...windows], x.dtype, ([n, o, ...place]) => {
    const group = Math.floor((o as number) / (outputs / groups));
    let sum = 0;
    for (const [c, ...cell] of indices([perGroup, ...kernel])) {
      const source = cell.map(
        (k, i) =>
          (place[i] as number) * (strides[i] as number) -
          (padding[i] as number) +
          k * (dilation[i] as number),
      );
      const channel = group * perGroup + (c as number);
      sum +=
        at(x, [n as number, channel, ...source], 0) * at(w, [o as number, c as number, ...cell]);
    }
    return sum;
  });
}

/** Adds each input element times the kernel. */
function naiveTranspose(x: Tensor, w: Tensor, options: TransposeOptions): Tensor {
  const { strides, padding, dilation, groups, outputPadding } = options;
  const [batch, channels, ...input] = x.shape as [number, number, ...number[]];
  const [, perGroup, ...kernel] = w.shape as [number, number, ...number[]];
  const sizes = input.map((dim, i) => {
    const pads = (padding[i] as number) + (padding[i + input.length] as number);
    const reach = ((kernel[i] as number) - 1) * (dilation[i] as number) + 1;
    return (dim - 1) * (strides[i] as number) - pads + reach + (outputPadding[i] as number);
  });
  const sums = new Map<string, number>();
  for (const [n, c, ...place] of indices(x.shape)) {
    const group = Math.floor((c as number) / (channels / groups));
    for (const [o, ...cell] of indices([perGroup, ...kernel])) {
      const to = place.map(
        (p, i) =>
          p * (strides[i] as number) +
          (cell[i] as number) * (dilation[i] as number) -
          (padding[i] as number),
      );
      const key = [n, group * perGroup + (o as number), ...to].join();
      const product =
        at(x, [n as number, c as number, ...place]) * at(w, [c as number, o as number, ...cell]);
      sums.set(key, (sums.get(key) ?? 0) + product);
    }
  }
  return build(
    [batch, perGroup * groups, ...sizes],
    x.dtype,
    (index) => sums.get(index.join()) ?? 0,
  );
}

const small = (min: number, max: number, rank: number) =>
  fc.array(fc.integer({ min, max }), { minLength: rank, maxLength: rank });

/** A problem of `rank` spatial axes whose windows fit. */
const anyProblem = (rank: number, dtype: DType) =>
  fc
    .record({
      batch: fc.constantFrom(1, 2),
      groups: fc.constantFrom(1, 2, 3),
      inputs: fc.constantFrom(1, 2),
      outputs: fc.constantFrom(1, 3, 5),
      kernel: small(1, 3, rank),
      strides: small(1, 3, rank),
      dilation: small(1, 2, rank),
      padding: small(0, 2, 2 * rank),
      outputPadding: small(0, 1, rank),
      extra: small(0, 3, rank),
    })
    .chain((p) => {
      const input = p.kernel.map((k, i) => {
        return (k - 1) * (p.dilation[i] as number) + 1 + (p.extra[i] as number);
      });
      return fc.record({
        x: gridTensor([p.batch, p.groups * p.inputs, ...input], dtype),
        w: gridTensor([p.groups * p.outputs, p.inputs, ...p.kernel], dtype),
        transposed: gridTensor([p.groups * p.inputs, p.outputs, ...p.kernel], dtype),
        options: fc.constant(p),
      });
    });

describe('convolution', () => {
  it.each([1, 2, 3])('of %d axes agrees with the definition', (rank) => {
    fc.assert(
      fc.property(anyProblem(rank, 'float32'), ({ x, w, options }) => {
        expectSame(convolution(x, w, options), naiveConvolution(x, w, options));
      }),
      { seed: SEED, numRuns: rank === 3 ? 40 : 100 },
    );
  });

  it.each(dtypes)('of %s agrees with the definition', (dtype) => {
    fc.assert(
      fc.property(anyProblem(2, dtype), ({ x, w, options }) => {
        expectSame(convolution(x, w, options), naiveConvolution(x, w, options));
      }),
      { seed: SEED, numRuns: 20 },
    );
  });

  const plain = { strides: [1, 1], padding: [0, 0, 0, 0], dilation: [1, 1], groups: 1 };
  const nine = f32([1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 1, 3, 3]);
  const ones = f32([1, 1, 1, 1], [1, 1, 2, 2]);

  it('has the values of C170', () => {
    expect(toNested(convolution(nine, ones, plain))).toEqual([
      [
        [
          [12, 16],
          [24, 28],
        ],
      ],
    ]);
    const padded = convolution(nine, ones, { ...plain, padding: [1, 1, 1, 1] });
    expect([padded.shape, at(padded, [0, 0, 0, 0]), at(padded, [0, 0, 3, 3])]).toEqual([
      [1, 1, 4, 4],
      1,
      9,
    ]);
  });

  it('has the shape of C172', () => {
    const x = f32(new Array(3 * 224 * 224).fill(1), [1, 3, 224, 224]);
    const w = f32(new Array(16 * 27).fill(1), [16, 3, 3, 3]);
    const out = convolution(x, w, {
      strides: [2, 2],
      dilation: [2, 2],
      padding: [2, 2, 2, 2],
      groups: 1,
    });
    expect([out.shape, at(out, [0, 5, 0, 0]), at(out, [0, 5, 50, 50])]).toEqual([
      [1, 16, 112, 112],
      12,
      27,
    ]);
  });

  it('sums int8 into int32 on demand', () => {
    const x = tensor(new Array(4).fill(127), [1, 1, 2, 2], 'int8');
    expect(toNested(convolution(x, x, { ...plain, outDtype: 'int32' }))).toEqual([
      [[[4 * 127 * 127]]],
    ]);
  });

  it('is depthwise with a group for each channel', () => {
    const x = f32([1, 2, 3, 4, 5, 6], [1, 3, 1, 2]);
    const w = f32([1, 10, 100], [3, 1, 1, 1]);
    expect(toNested(convolution(x, w, { ...plain, groups: 3 }))).toEqual([
      [[[1, 2]], [[30, 40]], [[500, 600]]],
    ]);
  });

  it('takes an empty batch, and a window larger than the data has no positions', () => {
    expect(convolution(f32([], [0, 1, 3, 3]), ones, plain).shape).toEqual([0, 1, 2, 2]);
    expect(convolution(f32([1], [1, 1, 1, 1]), ones, plain).shape).toEqual([1, 1, 0, 0]);
  });
});

describe('transposed convolution', () => {
  it.each([1, 2, 3])('of %d axes agrees with the definition', (rank) => {
    const fits = anyProblem(rank, 'float32').map((problem) => ({
      ...problem,
      // The padding is cropped from the result, so the result has to be larger.
      options: {
        ...problem.options,
        padding: problem.options.padding.map((p, i) =>
          Math.min(p, (problem.options.extra[i % rank] as number) >> 1),
        ),
      },
    }));
    fc.assert(
      fc.property(fits, ({ x, transposed, options }) => {
        const expected = naiveTranspose(x, transposed, options);
        expectSame(convolutionTranspose(x, transposed, options), expected);
      }),
      { seed: SEED, numRuns: rank === 3 ? 30 : 80 },
    );
  });

  it.each<DType>(['int8', 'int32', 'int64', 'float16', 'float64'])(
    'of %s agrees with the definition',
    (dtype) => {
      fc.assert(
        fc.property(anyProblem(2, dtype), ({ x, transposed, options }) => {
          const unpadded = { ...options, padding: [0, 0, 0, 0] };
          expectSame(
            convolutionTranspose(x, transposed, unpadded),
            naiveTranspose(x, transposed, unpadded),
          );
        }),
        { seed: SEED, numRuns: 20 },
      );
    },
  );

  it('has the shape of C173', () => {
    const x = f32(new Array(48).fill(1), [1, 3, 4, 4]);
    const w = f32(new Array(135).fill(1), [3, 5, 3, 3]);
    const out = convolutionTranspose(x, w, {
      strides: [2, 2],
      padding: [1, 1, 1, 1],
      dilation: [1, 1],
      groups: 1,
      outputPadding: [1, 1],
    });
    expect(out.shape).toEqual([1, 5, 8, 8]);
  });
});
