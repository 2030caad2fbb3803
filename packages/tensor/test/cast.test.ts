import {
  cast,
  castNumber,
  DTYPES,
  type DType,
  isBig,
  isDType,
  isSplat,
  readNumber,
  scalar,
  splat,
  type Tensor,
  tensor,
  toBigInts,
  toNested,
  toNumbers,
} from '@baton/tensor';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyBigInt, anyNumber, SEED } from './arbitraries.ts';
import { castOracle } from './oracle.ts';

const element = (t: Tensor): number | bigint =>
  isBig(t.dtype) ? (toBigInts(t)[0] as bigint) : readNumber(t, 0);

const pairs = DTYPES.flatMap((from) => DTYPES.map((to) => [from, to] as const));

describe('cast', () => {
  it.each(pairs)('%s to %s agrees with exact arithmetic', (from, to) => {
    const source: fc.Arbitrary<number | bigint> = isBig(from) ? anyBigInt : anyNumber;
    fc.assert(
      fc.property(source, (value) => {
        const held = castOracle(value, from);
        const t = scalar(value, from);
        expect(element(t)).toBe(held);
        expect(element(cast(t, to))).toBe(castOracle(held, to));
      }),
      { seed: SEED, numRuns: 200 },
    );
  });

  it.each<[DType, ReadonlyArray<number | bigint>]>([
    ['bool', [true, true, true, true, true, false, true, true] as never],
    ['int8', [0, -1, 44, -128, 0, 0, 1, -1]],
    ['int32', [0, -1, 300, -2147483648, 0, 0, 1, -1]],
    ['int64', [0n, -1n, 300n, 2147483648n, 0n, 0n, 1n, -1n]],
    ['uint8', [0, 255, 44, 0, 0, 0, 1, 255]],
    ['uint64', [0n, 2n ** 64n - 1n, 300n, 2147483648n, 0n, 0n, 1n, 2n ** 64n - 1n]],
  ])('takes special floats to %s as D16 says', (to, expected) => {
    const source = [NaN, -1, 300, 2147483648, Infinity, -0, 1.9, -1.9];
    if (to === 'int8') expected = expected.map((v, i) => (i === 3 ? 0 : v));
    expect(toNested(cast(tensor(source, [8], 'float64'), to))).toEqual(expected);
  });

  it('rounds a 64-bit integer once, not through double', () => {
    // Between two float32 values, just above the middle: double would round to the middle first.
    const value = 2n ** 60n + 2n ** 36n + 1n;
    expect(element(cast(scalar(value, 'int64'), 'float32'))).toBe(2 ** 60 + 2 ** 37);
    expect(element(cast(scalar(-value, 'int64'), 'float32'))).toBe(-(2 ** 60 + 2 ** 37));
  });

  it('gives the same tensor for its own dtype, and a splat for a splat', () => {
    const t = splat([1000, 1000], 'float32', 2.5);
    expect(cast(t, 'float32')).toBe(t);
    const ints = cast(t, 'int16');
    expect([isSplat(ints), ints.data.length, readNumber(ints, 999_999)]).toEqual([true, 1, 2]);
  });

  it('reads views in row-major order', () => {
    const t: Tensor = {
      ...tensor([1, 2, 3, 4, 5, 6], [2, 3], 'int8'),
      shape: [3, 2],
      strides: [1, 3],
    };
    expect(Array.from(toNumbers(cast(t, 'float16')))).toEqual([1, 4, 2, 5, 3, 6]);
  });

  it('casts single numbers the same way', () => {
    fc.assert(
      fc.property(anyNumber, fc.constantFrom(...DTYPES), (value, dtype) => {
        expect(castNumber(value, dtype)).toBe(Number(castOracle(value, dtype)));
      }),
      { seed: SEED, numRuns: 1000 },
    );
  });
});

describe('names of dtypes', () => {
  it('are distinguished from other words', () => {
    expect(DTYPES.every(isDType)).toBe(true);
    for (const word of ['float', 'int128', 'toString', '']) expect(isDType(word)).toBe(false);
    for (const value of [undefined, ['int8'], { _tag: 'TypeVar' }]) {
      expect(isDType(value)).toBe(false);
    }
  });
});
