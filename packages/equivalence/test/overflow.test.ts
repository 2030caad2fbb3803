/** Numbers that leave the range of float16 in one program only. */
import { orThrow } from '@baton/base';
import { checkEquivalent, type EquivalenceOptions } from '@baton/equivalence';
import type { IRModule } from '@baton/ir';
import { describe, expect, test } from 'vitest';
import { read } from './support.ts';

/** Whether two bodies of a function of `%y` are equal: for small numbers, and some beyond ±300. */
function isSame(a: string, b: string, options: EquivalenceOptions = {}): boolean {
  const large = 'clip(%x, a_min=1.0, a_max=1.05) * 300f16';
  const [one, other] = [a, b].map((body) =>
    read(`def @main(%x: Tensor[(4), float16]) {
  let %y = concatenate((%x, ${large}, negative(${large})));
  ${body}
}`),
  ) as [IRModule, IRModule];
  return orThrow(checkEquivalent(one, other, { regimes: ['native'], ...options })).equivalent;
}

/** x² / 4 overflows in an intermediate at 300, but (x / 2)² does not, and x⁴ overflows in both. */
const OVERFLOWS = '%y * %y / 4f16';
const FITS = '(%y * 0.5f16) * (%y * 0.5f16)';

describe('float16', () => {
  test('a number that overflows in one program only is a difference', () => {
    expect(isSame(OVERFLOWS, FITS)).toBe(false);
    expect(isSame(FITS, OVERFLOWS)).toBe(false);
    expect(isSame(FITS, OVERFLOWS, { needs: ['reassoc'] })).toBe(false);
  });

  test('unless it is allowed to compute in another order, and is right', () => {
    expect(isSame(OVERFLOWS, FITS, { needs: ['reassoc'] })).toBe(true);
    expect(isSame(OVERFLOWS, `${FITS} + 999f16`, { needs: ['reassoc'] })).toBe(false);
    expect(isSame(OVERFLOWS, 'zeros_like(%y)', { needs: ['reassoc'] })).toBe(false);
  });

  test('infinities of both are the same, with the same sign', () => {
    const power = '%y * %y * %y';
    expect(isSame(power, '%y * (%y * %y)')).toBe(true);
    expect(isSame(power, 'abs(%y) * (%y * %y)')).toBe(false);
  });

  test('at the end of the range rounding decides', () => {
    // Near 2^15 the spacing is 32: 65,504 plus half of it rounds to infinity.
    const scaled = (by: number) => `clip(%y, a_min=-1.0, a_max=1.0) * ${by}f16 * 256f16`;
    expect(isSame(scaled(255.75), scaled(256))).toBe(true);
    expect(isSame(scaled(256), scaled(255.75))).toBe(true);
    expect(isSame(scaled(200), scaled(256))).toBe(false);
    expect(isSame(scaled(256), scaled(200))).toBe(false);
  });
});
