import { isRight } from '@baton/base';
import {
  DTYPES,
  describeTensor,
  dtypeInfo,
  fromBytes,
  full,
  hashTensor,
  isBig,
  isSplat,
  makeTensor,
  readBigInt,
  readNumber,
  scalar,
  splat,
  type Tensor,
  tensor,
  tensorsEqual,
  toBytes,
  toNested,
  zeros,
} from '@baton/tensor';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyShape, anyTensor, anyViewStep, SEED } from './arbitraries.ts';

const ones: { readonly [D in (typeof DTYPES)[number]]: unknown } = {
  bool: true,
  int8: 1,
  int16: 1,
  int32: 1,
  int64: 1n,
  uint8: 1,
  uint16: 1,
  uint32: 1,
  uint64: 1n,
  float16: 1,
  float32: 1,
  float64: 1,
  bfloat16: 1,
};

describe.each(DTYPES)('a tensor of %s', (dtype) => {
  it('is made from numbers, bigints and booleans alike', () => {
    const one = ones[dtype];
    for (const source of [
      [1, 1],
      [1n, 1n],
      [true, true],
      [1, 1n],
    ]) {
      expect(toNested(tensor(source, [2, 1], dtype))).toEqual([[one], [one]]);
    }
    expect(toNested(scalar(1, dtype))).toEqual(one);
    expect(toNested(full([2], dtype, 1))).toEqual([one, one]);
    expect(readNumber(zeros([3], dtype), 2)).toBe(0);
  });

  it('takes its own storage without a copy', () => {
    const { data } = zeros([4], dtype);
    expect(tensor(data, [2, 2], dtype).data).toBe(data);
  });

  it('holds its extreme values', () => {
    const { min, max, bytes } = dtypeInfo(dtype);
    const t = tensor([min, max], [2], dtype);
    const read = (i: number) => (isBig(dtype) ? readBigInt(t, i) : readNumber(t, i));
    expect([read(0), read(1)]).toEqual([min, max]);
    expect(toBytes(t).length).toBe(2 * bytes);
  });

  it('goes through raw bytes, aligned or not', () => {
    fc.assert(
      fc.property(anyTensor(anyShape, fc.constant(dtype)), fc.nat(7), (t, shift) => {
        const bytes = toBytes(t);
        const buffer = new Uint8Array(bytes.length + shift);
        buffer.set(bytes, shift);
        const back = fromBytes(buffer.subarray(shift), t.shape, dtype);
        expect(isRight(back) && tensorsEqual(back.right, t)).toBe(true);
      }),
      { seed: SEED, numRuns: 50 },
    );
  });
});

describe('raw bytes', () => {
  it('are little-endian', () => {
    expect([...toBytes(tensor([1, 258], [2], 'int16'))]).toEqual([1, 0, 2, 1]);
    expect([...toBytes(tensor([1.5], [1], 'float32'))]).toEqual([0, 0, 0xc0, 0x3f]);
    expect([...toBytes(tensor([-2n], [1], 'int64'))]).toEqual([
      254, 255, 255, 255, 255, 255, 255, 255,
    ]);
  });

  it('are used in place where they are aligned', () => {
    const bytes = new Uint8Array(16);
    const t = fromBytes(bytes.subarray(8), [2], 'float32');
    expect(isRight(t) && t.right.data.buffer).toBe(bytes.buffer);
  });
});

describe('data from outside', () => {
  const code = (result: ReturnType<typeof makeTensor>) =>
    isRight(result) ? 'none' : result.left[0].code;

  it.each([
    ['none', [1, 2], [2], 'int8'],
    ['none', [], [0, 9007199254740991, 9007199254740991], 'int8'],
    ['TENSOR_LENGTH', [1, 2], [3], 'int8'],
    ['TENSOR_LENGTH', [1, 2], [], 'int8'],
    ['TENSOR_DIMENSION', [1, 2], [-2], 'int8'],
    ['TENSOR_DIMENSION', [1, 2], [1.5], 'int8'],
    ['TENSOR_DIMENSION', [], [Number.NaN], 'int8'],
    ['TENSOR_TOO_LARGE', [], [65536, 65536], 'int8'],
    ['TENSOR_TOO_LARGE', [], new Array(16).fill(2 ** 52), 'int8'],
    ['TENSOR_RANK', [1], new Array(17).fill(1), 'int8'],
    ['TENSOR_STORAGE', new Float32Array(2), [2], 'int8'],
    ['TENSOR_STORAGE', new Uint8Array([0, 2]), [2], 'bool'],
    ['none', new Uint8Array([0, 1]), [2], 'bool'],
  ] as const)('%s', (expected, data, shape, dtype) => {
    expect(code(makeTensor(data, shape, dtype))).toBe(expected);
  });

  it.each([
    ['TENSOR_BYTES', 7, [2], 'float32'],
    ['TENSOR_BYTES', 0, [2 ** 30], 'float64'],
    ['TENSOR_TOO_LARGE', 0, [2 ** 31, 2 ** 31], 'float64'],
    ['TENSOR_RANK', 0, new Array(40).fill(0), 'float64'],
  ] as const)('as bytes: %s', (expected, length, shape, dtype) => {
    expect(code(fromBytes(new Uint8Array(length), shape, dtype))).toBe(expected);
  });

  it('that does not fit is a bug inside', () => {
    expect(() => tensor([1, 2, 3], [2], 'int8')).toThrow(/length matches its shape/);
  });
});

describe('hashes', () => {
  it('are equal for equal tensors, whatever their strides', () => {
    fc.assert(
      fc.property(anyTensor(anyShape), fc.array(anyViewStep, { maxLength: 4 }), (t, steps) => {
        const seen = steps.reduce((view, step) => step(view), t);
        const copy = tensor(copyOf(seen), seen.shape, seen.dtype);
        expect(tensorsEqual(copy, seen)).toBe(true);
        expect(hashTensor(copy)).toBe(hashTensor(seen));
      }),
      { seed: SEED, numRuns: 300 },
    );
  });

  it('are equal for NaNs of either sign, as an operator and a literal make them', () => {
    const bits = tensor(new Float32Array(Uint32Array.of(0xffc00000).buffer), [1], 'float32');
    const literal = tensor([Number.NaN], [1], 'float32');
    expect(tensorsEqual(bits, literal)).toBe(true);
    expect(hashTensor(bits)).toBe(hashTensor(literal));
  });

  it('tell dtype, shape, signs of zero and 64-bit values apart', () => {
    const different = [
      tensor([1, 2, 3, 4], [2, 2], 'int8'),
      tensor([1, 2, 3, 4], [2, 2], 'uint8'),
      tensor([1, 2, 3, 4], [4], 'int8'),
      tensor([1, 2, 4, 3], [2, 2], 'int8'),
      tensor([0], [], 'float32'),
      tensor([-0], [], 'float32'),
      tensor([2n ** 60n], [], 'int64'),
      tensor([2n ** 60n + 1n], [], 'int64'),
    ];
    expect(new Set(different.map(hashTensor)).size).toBe(different.length);
  });
});

describe('splats', () => {
  it('store one value, whatever their size', () => {
    for (const t of [splat([3, 4], 'float16', 1.5), full([4096, 4096], 'float16', 1.5)]) {
      expect([t.data.length, isSplat(t), readNumber(t, 11)]).toEqual([1, true, 1.5]);
    }
    expect(full([3, 4], 'float32', 1).data.length).toBe(12);
    expect(isSplat(tensor([1, 1], [2], 'int8'))).toBe(false);
  });
});

describe('descriptions', () => {
  it.each<[Tensor, string]>([
    [scalar(-0, 'float32'), 'float32 () [-0]'],
    [scalar(2n ** 63n - 1n, 'int64'), 'int64 () [9223372036854775807]'],
    [tensor([true, false], [2], 'bool'), 'bool (2) [true, false]'],
    [zeros([3, 0], 'int8'), 'int8 (3, 0) []'],
    [splat([5, 5], 'float16', 0.5), 'float16 (5, 5) [0.5, …]'],
    [tensor([1, 2, 3, 4, 5, 6, 7, 8, 9], [9], 'uint8'), 'uint8 (9) [1, 2, 3, 4, 5, 6, 7, 8, …]'],
  ])('%#', (t, text) => {
    expect(describeTensor(t)).toBe(text);
  });
});

/** The elements read one by one, applying the strides here. */
function copyOf(t: Tensor): (number | bigint)[] {
  const out: (number | bigint)[] = [];
  const count = t.shape.reduce((a, b) => a * b, 1);
  for (let i = 0; i < count; i++) out.push(isBig(t.dtype) ? readBigInt(t, i) : readNumber(t, i));
  return out;
}
