/** The bound of the native regime, from both sides: a few units in the last place pass, 40 do not. */
import { orThrow } from '@baton/base';
import { checkEquivalent } from '@baton/equivalence';
import { describe, expect, test } from 'vitest';
import { read } from './support.ts';

/** The spacing of numbers around 1 that the comparison takes for each type. */
const SPACING = { float32: 2 ** -23, float16: 2 ** -10, bfloat16: 2 ** -7, float64: 2 ** -23 };

const scaled = (dtype: string, factor: number) =>
  read(`def @main(%x: Tensor[(64), ${dtype}]) {
    multiply(%x, cast(${factor}f64, dtype="${dtype}"))
  }`);

describe.each(Object.entries(SPACING))('in %s', (dtype, spacing) => {
  test.each([
    ['no error is', 0, true],
    ['two units are', 2, true],
    ['40 units are not', 40, false],
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
