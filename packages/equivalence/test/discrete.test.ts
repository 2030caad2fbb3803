/**
 * Masks, counts and places that a program makes of floats: at a tie within the rounding they may
 * differ, and elsewhere they may not.
 */
import { orThrow } from '@baton/base';
import { checkEquivalent, type EquivalenceOptions } from '@baton/equivalence';
import { describe, expect, test } from 'vitest';
import { read } from './support.ts';

const X = '%x: Tensor[(400), float32]';

/** Whether two bodies of a function of `%x` are the same to a comparison. */
const isSame = (a: string, b: string, options: EquivalenceOptions = {}): boolean => {
  const [one, other] = [a, b].map((body) => read(`def @main(${X}) { ${body} }`)) as [never, never];
  return orThrow(
    checkEquivalent(one, other, { needs: ['reassoc'], regimes: ['native'], ...options }),
  ).equivalent;
};

// At the first element there is a tie, which rounding breaks; elsewhere there is none.
const NEAR = 'let %t = concatenate((strided_slice(%x, begin=[0], end=[1]) * 0f, %x), axis=0)';
const NOISY = `${NEAR}; let %s = (%t + 0.1f) - 0.1f`;

describe('a discrete result', () => {
  test.each([
    ['a mask', '%s > 0f', '%s > 0.05f'],
    ['a mask as numbers', 'cast(%s > 0f, dtype="int32")', 'cast(%s > 0.05f, dtype="int32")'],
    [
      'counts of rows',
      'sum(cast(reshape(strided_slice(%s, begin=[1], end=[401]), newshape=[20, 20]) > 0f, dtype="int32"), axis=[1])',
      'sum(cast(reshape(strided_slice(%s, begin=[1], end=[401]), newshape=[20, 20]) > 0.2f, dtype="int32"), axis=[1])',
    ],
  ])('is different where it is wrong at some places beside a tie: %s', (_, right, wrong) => {
    expect(isSame(`${NOISY}; ${right}`, `${NOISY}; ${wrong}`)).toBe(false);
  });

  test.each([
    ['a mask', '(%t + 0.1f) - 0.1f > 0f', '%t + (0.1f - 0.1f) > 0f'],
    ['a place', 'argmax(%t + 0.1f)', 'argmax(%t)'],
  ])('is the same at a tie within the rounding: %s', (_, one, other) => {
    expect(isSame(`${NEAR}; ${one}`, `${NEAR}; ${other}`)).toBe(true);
  });
});
