/** The floats of 4 and 8 bits: the patterns were read off ml_dtypes 0.5. */

import { isLeft } from '@baton/base';
import {
  cast,
  type DType,
  dtypeInfo,
  fromBytes,
  isCoded,
  makeTensor,
  STORAGE_DTYPES,
  scalar,
  tensor,
  toBytes,
  toNumbers,
} from '@baton/tensor';
import { describe, expect, it } from 'vitest';

const PROBES = [
  NaN,
  0,
  -0,
  1.5,
  3,
  6,
  -1,
  1e9,
  -1e9,
  Infinity,
  -Infinity,
  0.25,
  0.75,
  5,
  2.5,
  464,
  465,
  61439,
  61440,
  248,
  2 ** -10,
];

const patterns = (text: string): ReadonlyArray<number> =>
  text.split(' ').map((digits) => Number.parseInt(digits, 16));

const EXPECTED: ReadonlyArray<readonly [DType, string]> = [
  ['float4_e2m1fn', '8 0 8 3 5 7 a 7 f 7 f 0 2 6 4 7 7 7 7 7 0'],
  ['float8_e4m3fn', '7f 0 80 3c 44 4c b8 7f ff 7f ff 28 34 4a 42 7e 7f 7f 7f 78 0'],
  ['float8_e5m2', '7e 0 80 3e 42 46 bc 7c fc 7c fc 34 3a 45 41 5f 5f 7b 7c 5c 14'],
  ['float8_e4m3fnuz', '80 0 0 44 4c 54 c0 80 80 80 80 30 3c 52 4a 80 80 80 80 80 1'],
  ['float8_e5m2fnuz', '80 0 0 42 46 4a c0 80 80 80 80 38 3e 49 45 63 63 7f 80 60 18'],
  // ml_dtypes yields NaN for 0, which is nearest to the least scale.
  ['float8_e8m0fnu', 'ff 0 0 80 81 82 ff 9d ff ff ff 7d 7f 81 80 88 88 8f 8f 87 75'],
];

const floats = STORAGE_DTYPES.filter(isCoded);

describe('a small float', () => {
  it.each(EXPECTED)('%s has the patterns of ml_dtypes', (dtype, text) => {
    expect([...toBytes(tensor(PROBES, [PROBES.length], dtype))]).toEqual(patterns(text));
  });

  it.each(floats)('%s keeps each of its numbers', (dtype) => {
    const count = 2 ** dtypeInfo(dtype).bits;
    const all = tensor(
      Uint8Array.from({ length: count }, (_, i) => i),
      [count],
      dtype,
    );
    const values = toNumbers(all);
    const back = toBytes(tensor(values, [count], dtype));
    const changed = [...back].filter((bits, i) => !Number.isNaN(values[i]) && bits !== i);
    expect(changed).toEqual([]);
    const finite = [...values].filter(Number.isFinite);
    expect(Math.max(...finite)).toBe(dtypeInfo(dtype).max);
    expect(Math.min(...finite)).toBe(dtypeInfo(dtype).min);
  });

  it.each(floats)('%s rounds to the nearest number', (dtype) => {
    const count = 2 ** dtypeInfo(dtype).bits;
    const codes = Uint8Array.from({ length: count }, (_, i) => i);
    const numbers = [...toNumbers(tensor(codes, [count], dtype))].filter(Number.isFinite);
    for (let i = 0; i < 500; i++) {
      const value = (numbers[i % numbers.length] ?? 0) * (1 + Math.sin(i) / 3);
      const [found] = toNumbers(scalar(value, dtype));
      if (found === undefined || !Number.isFinite(found)) continue;
      const least = Math.min(...numbers.map((number) => Math.abs(number - value)));
      expect(Math.abs(found - value)).toBe(least);
    }
  });
});

describe('an integer of 2 or 4 bits', () => {
  it.each([
    ['int4', [7, -8, -8, 7, -1, 0]],
    ['uint4', [7, 8, 8, 7, 15, 0]],
    ['int2', [-1, 0, 0, -1, -1, 0]],
    ['uint2', [3, 0, 0, 3, 3, 0]],
  ] as const)('%s wraps', (dtype, expected) => {
    const x = tensor([7, 8, -8, -9, -1, 16], [6], 'int32');
    expect([...toNumbers(cast(x, dtype))]).toEqual(expected);
    const long = tensor([7n, 8n, -8n, -9n, -1n, 16n], [6], 'int64');
    expect([...toNumbers(cast(long, dtype))]).toEqual(expected);
  });

  it('is refused outside its range', () => {
    expect(isLeft(makeTensor(new Int8Array([8]), [1], 'int4'))).toBe(true);
    expect(isLeft(fromBytes(new Uint8Array([4]), [1], 'uint2'))).toBe(true);
    expect(isLeft(fromBytes(new Uint8Array([16]), [1], 'float4_e2m1fn'))).toBe(true);
    expect(isLeft(fromBytes(new Uint8Array([0xff]), [1], 'int4'))).toBe(false);
  });
});
