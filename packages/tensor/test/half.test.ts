import { decodeFloats, encodeFloats, floatCode } from '@baton/tensor';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyNumber, SEED } from './arbitraries.ts';
import { castOracle } from './oracle.ts';

const formats = [
  ['float16', 0x7c00],
  ['bfloat16', 0x7f80],
] as const;

const codes = { float16: floatCode('float16'), bfloat16: floatCode('bfloat16') };

describe.each(formats)('%s', (dtype, infinity) => {
  const { encode, values } = codes[dtype];
  const decode = (bits: number): number => values[bits] ?? 0;

  it('keeps each of the 65,536 bit patterns through a round trip, NaNs alike', () => {
    for (let bits = 0; bits < 65536; bits++) {
      const isNaN16 = (bits & 0x7fff) > infinity;
      const value = decode(bits);
      expect(Number.isNaN(value)).toBe(isNaN16);
      if (!isNaN16 && encode(value) !== bits) expect(encode(value)).toBe(bits);
    }
    const all = Uint16Array.from({ length: 65536 }, (_, bits) => bits);
    const back = encodeFloats(decodeFloats(all, dtype), dtype, new Uint16Array(65536));
    const changed = all.filter((bits) => (bits & 0x7fff) <= infinity && back[bits] !== bits);
    expect(changed).toEqual(new Uint16Array());
  });

  it('rounds halfway values between all neighbours to the even pattern', () => {
    for (let bits = 0; bits < infinity - 1; bits++) {
      const middle = (decode(bits) + decode(bits + 1)) / 2;
      const even = bits % 2 === 0 ? bits : bits + 1;
      const nudge = middle * 2 ** -50;
      if (encode(middle) !== even) expect([bits, encode(middle)]).toEqual([bits, even]);
      if (encode(middle - nudge) !== bits)
        expect([bits, encode(middle - nudge)]).toEqual([bits, bits]);
      if (encode(middle + nudge) !== bits + 1) {
        expect([bits, encode(middle + nudge)]).toEqual([bits, bits + 1]);
      }
    }
  });

  it('rounds any number as exact arithmetic does', () => {
    fc.assert(
      fc.property(anyNumber, (value) => {
        expect(decode(encode(value))).toBe(castOracle(value, dtype));
      }),
      { seed: SEED, numRuns: 2000 },
    );
  });
});

describe('known patterns', () => {
  it.each([
    [1, 0x3c00, 0x3f80],
    [-2, 0xc000, 0xc000],
    [-0, 0x8000, 0x8000],
    [65504, 0x7bff, 0x4780],
    [65520, 0x7c00, 0x4780],
    [2 ** -24, 0x0001, 0x3380],
    [2 ** -25, 0x0000, 0x3300],
    [1 / 3, 0x3555, 0x3eab],
    [Number.NaN, 0x7e00, 0x7fc0],
    [Number.NEGATIVE_INFINITY, 0xfc00, 0xff80],
    [3.4e38, 0x7c00, 0x7f80],
    [2 ** -133, 0x0000, 0x0001],
  ])('%s', (value, float16, bfloat16) => {
    expect(codes.float16.encode(value)).toBe(float16);
    expect(codes.bfloat16.encode(value)).toBe(bfloat16);
  });
});
