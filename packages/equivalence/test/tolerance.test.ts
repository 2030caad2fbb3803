/**
 * The bound of each regime, from both sides: results within it pass, and results that pass only
 * under a bound eight times as large do not.
 */
import { orThrow } from '@baton/base';
import { checkEquivalent, type EquivalenceOptions } from '@baton/equivalence';
import { describe, expect, test } from 'vitest';
import { read } from './support.ts';

/** The spacing of numbers around 1 that the comparison assumes for each dtype. */
const SPACING = { float32: 2 ** -23, float16: 2 ** -10, bfloat16: 2 ** -7, float64: 2 ** -23 };

const scaled = (dtype: string, factor: number) =>
  read(`def @main(%x: Tensor[(64), ${dtype}]) {
    multiply(%x, cast(${factor}f64, dtype="${dtype}"))
  }`);

describe.each(Object.entries(SPACING))('in %s', (dtype, spacing) => {
  test.each([
    ['no error is', 0, true],
    ['two units are', 2, true],
    ['28 units are not', 28, false],
    ['300 units are not', 300, false],
  ])('%s within the rounding', (_, units, isWithin) => {
    for (const needs of [[], ['reassoc']] as const) {
      const found = orThrow(
        checkEquivalent(scaled(dtype, 1), scaled(dtype, 1 + units * spacing), {
          regimes: ['native'],
          needs,
        }),
      );
      expect(found.equivalent).toBe(isWithin);
    }
  });
});

const isWithin = (a: string, b: string, options: EquivalenceOptions): boolean => {
  const [one, other] = [a, b].map((body) =>
    read(`def @main(%x: Tensor[(64), float32]) { ${body} }`),
  );
  return orThrow(checkEquivalent(one as never, other as never, options)).equivalent;
};

describe('on the grid', () => {
  test('nothing is within the rounding but the same number', () => {
    const options = { regimes: ['grid'] } as const;
    expect(isWithin('%x + 1f', '1f + %x', options)).toBe(true);
    expect(isWithin('%x + 1f', '%x + 1.0625f', options)).toBe(false);
  });
});

describe('in the shadow', () => {
  const options = { regimes: ['shadow'] } as const;
  const wide = (body: string) => `cast(%x, dtype="float64") * ${body}`;

  test.each([
    ['1e-9 of a number is', 1e-9, true],
    ['8e-9 are not', 8e-9, false],
  ])('%s within the tolerance', (_, error, within) => {
    expect(isWithin(wide('1f64'), wide(`${1 + error}f64`), options)).toBe(within);
  });

  // The error of 2^24 on x is at most 2^-26, 16 times over, and seldom less than 2^-28.
  const left = (error: number) => `${wide('1f64')} + 16777216f64 - ${16777216 - error}f64`;

  test.each([
    ['the noise is', 1, true],
    ['20 times is not', 20, false],
  ])('%s within the noise', (_, times, within) => {
    expect(isWithin(left(0), left(times * 2 ** -26), options)).toBe(within);
  });
});

describe('on special values', () => {
  const scaled = (units: number) => `%x * ${1 - units * 2 ** -23}f`;

  test.each([
    ['nothing is', 0, [], true],
    ['nothing else is, without a freedom', 1, [], false],
    ['31 units are', 31, ['reassoc'], true],
    ['200 units are not', 200, ['reassoc'], false],
  ] as const)('%s within the tolerance', (_, units, needs, within) => {
    const options = { regimes: ['special'], needs } as const;
    expect(isWithin(scaled(0), scaled(units), options)).toBe(within);
  });
});
