import { mulberry32 } from '@baton/base';
import { type DType, dtypeInfo, toNumbers } from '@baton/tensor';
import { describe, expect, it } from 'vitest';
import {
  CONTINUOUS_ATTEMPTS,
  continuousFill,
  GRID_ATTEMPTS,
  gridFill,
  SPECIAL_ATTEMPTS,
  specialFill,
} from '../src/input-distributions.ts';
import type { Fill } from '../src/inputs.ts';

const SIZE = 4_000;

const drawn = (fill: Fill, dtype: DType, size = SIZE): ReadonlyArray<number> =>
  Array.from(toNumbers(fill(dtype, [size])), Number);

const shareOf = (values: ReadonlyArray<number>, holds: (x: number) => boolean): number =>
  values.filter(holds).length / values.length;

const attempts = (count: number): ReadonlyArray<number> =>
  Array.from({ length: count }, (_, i) => i);

describe('special values', () => {
  const FLOATS: ReadonlyArray<readonly [DType, number, number]> = [
    ['float16', 2 ** -24, 2 ** -14],
    ['bfloat16', 2 ** -133, 2 ** -126],
    ['float32', 2 ** -149, 2 ** -126],
    ['float64', 2 ** -1074, 2 ** -1022],
  ];

  it.each(FLOATS)('of %s are among ordinary ones, each of them', (dtype, least, normal) => {
    const most = Number(dtypeInfo(dtype).max);
    const everywhere = [0, -0, 1, -1, least, -least, normal];
    for (const attempt of attempts(SPECIAL_ATTEMPTS)) {
      const { nan, infinity } = { nan: attempt === 3, infinity: attempt === 2 };
      const values = drawn(specialFill(attempt, { nan, infinity }, mulberry32(attempt)), dtype);
      const infinities = [Infinity, -Infinity, most, -most];
      const special = [...everywhere, ...(nan ? [] : [NaN]), ...(infinity ? [8, -8] : infinities)];
      for (const one of special) {
        const share = shareOf(values, (x) => Object.is(x, one));
        const [low, high] = attempt % 2 === 0 ? [0.03, 0.09] : [0.01, 0.03];
        expect(share, `${one} in attempt ${attempt}`).toBeGreaterThan(low as number);
        expect(share, `${one} in attempt ${attempt}`).toBeLessThan(high as number);
      }
      const others = values.filter((x) => !special.some((one) => Object.is(x, one)));
      expect(others.length / SIZE).toBeCloseTo(attempt % 2 === 0 ? 0.4 : 0.8, 1);
      expect(others.every((x) => x >= -2 && x <= 2)).toBe(true);
      expect(Math.min(...others)).toBeLessThan(-1.9);
      expect(Math.max(...others)).toBeGreaterThan(1.9);
    }
  });

  it.each<DType>(['int8', 'uint8', 'int32', 'int64', 'uint64'])('of %s are its ends', (dtype) => {
    const { min, max } = dtypeInfo(dtype);
    const values = drawn(specialFill(0, { nan: false, infinity: false }, mulberry32(1)), dtype);
    const ends = [...new Set([Number(min), Number(max), 0, 1])];
    for (const one of ends) expect(shareOf(values, (x) => x === one)).toBeGreaterThan(0.2);
    expect(shareOf(values, (x) => ends.includes(x))).toBe(1);
  });
});

describe('values that a grid holds', () => {
  it.each(attempts(GRID_ATTEMPTS))('are exact and of both kinds in attempt %i', (attempt) => {
    const found = attempts(40).flatMap((seed) =>
      drawn(gridFill(attempt, mulberry32(seed)), 'float32', 100),
    );
    const unit = attempt < 3 ? 1 / 8 : 1 / 2;
    expect(shareOf(found, (x) => Number.isInteger(x / unit) && !Object.is(x, -0))).toBe(1);
    const most = attempt < 3 ? 8 : 2;
    expect([Math.min(...found), Math.max(...found)]).toEqual([attempt < 3 ? -8 : -1, most]);
    expect(shareOf(found, (x) => x < 0)).toBeGreaterThan(0.1);
  });
});

describe('continuous values', () => {
  it.each(attempts(CONTINUOUS_ATTEMPTS))('lie in one range in attempt %i', (attempt) => {
    const RANGES = [
      [-1, 1],
      [0.5, 1],
      [1, 2],
      [-2, 2],
      [0.05, 0.3],
    ] as const;
    const seen = new Set<number>();
    for (const seed of attempts(40)) {
      const values = drawn(continuousFill(attempt, mulberry32(seed)), 'float64', 400);
      const [least, most] = [Math.min(...values), Math.max(...values)];
      const range = RANGES.findIndex(
        ([low, high]) => least >= low && most <= high && most - least > 0.95 * (high - low),
      );
      expect(range, `${least} to ${most}`).not.toBe(-1);
      seen.add(range);
    }
    const only = attempt === 0 ? [0] : attempt === 2 ? [1] : [0, 1, 2, 3, 4];
    expect([...seen].sort()).toEqual(only);
  });
});

describe('integers and truths', () => {
  it.each([
    [0, 'int32', 0, 3],
    [1, 'int32', -8, 8],
    [1, 'uint8', 0, 8],
    [2, 'int32', 0, 1],
    [3, 'int32', 0, 3],
    [0, 'bool', 0, 1],
  ] as const)('are small in attempt %i of %s', (attempt, dtype, least, most) => {
    for (const fill of [gridFill, continuousFill]) {
      const values = drawn(fill(attempt, mulberry32(3)), dtype);
      expect([...new Set(values)].sort((a, b) => a - b)).toEqual(
        Array.from({ length: most - least + 1 }, (_, i) => least + i),
      );
    }
  });
});
