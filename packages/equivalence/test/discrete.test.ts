/**
 * Masks, counts and indices that a program computes from floats: at a tie within the rounding they
 * may differ, and elsewhere they may not.
 */
import { orThrow } from '@baton/base';
import { checkEquivalent, type EquivalenceOptions } from '@baton/equivalence';
import { describe, expect, test } from 'vitest';
import { read } from './support.ts';

const X = '%x: Tensor[(400), float32]';

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

// The first 20 elements are at ties, which rounding breaks either way; the others are not.
const TIES = 'concatenate((strided_slice(%x, begin=[0], end=[20]) * 0f, abs(%x) + 1f), axis=0)';
const BROKEN = `let %t = ${TIES}; let %s = (%t + 0.1f) - 0.1f`;
const WHOLE = `let %t = ${TIES}; let %s = %t + (0.1f - 0.1f)`;
const count = (mask: string): string => `sum(cast(${mask}, dtype="int32"))`;

describe('a count moves as far as ties move it', () => {
  test.each([
    ['all of them', `${BROKEN}; ${count('%s > 0f')}`, `${WHOLE}; ${count('%s > 0f')}`],
    ['none of them', `${BROKEN}; ${count('%s > 0f')}`, `${WHOLE}; ${count('%s >= 0f')}`],
    ['some of them', `${BROKEN}; ${count('%s > 0f')}`, `${WHOLE}; ${count('%s > 0f')} + 9`],
  ])('%s', (_, one, other) => {
    expect(isSame(one, other)).toBe(true);
  });

  test.each([
    ['one more', `${WHOLE}; ${count('%s >= 0f')} + 1`],
    ['one less', `${WHOLE}; ${count('%s > 0f')} - 1`],
    ['any number of others', `${BROKEN}; ${count('%s > 1.2f')}`],
    ['more, at ties of its own', `${BROKEN}; ${count('%s > 0f')} + 21`],
  ])('and no further: %s', (_, other) => {
    expect(isSame(`${BROKEN}; ${count('%s > 0f')}`, other)).toBe(false);
  });
});

describe('a place becomes a place of an equal value', () => {
  // The maxima are at the indices 5 and 300.
  const two = (of: string) =>
    `let %p = arange(0f, 400f, 1f, dtype="float32"); let %w = where(equal(%p, 5f), full_like(%p, 9f), where(equal(%p, 300f), full_like(%p, 9f), nn.relu(%x) * 0.1f)); ${of}`;
  const place = two('argmax((%w + 0.1f) - 0.1f)');

  test('of the two', () => {
    expect(isSame(place, two('argmax(%w)'))).toBe(true);
    expect(isSame(place, two('argmax(%w, select_last_index=True)'))).toBe(true);
  });

  test.each([
    ['between them', two('argmax(%w) + 100')],
    ['beside them', two('argmax(%w) + 1')],
    ['of another', two('argmin(%w)')],
  ])('and not one %s', (_, other) => {
    expect(isSame(place, other)).toBe(false);
  });
});

describe('a mask of quantized numbers', () => {
  test('is not excused by the unit that integers have', () => {
    const given = 'cast(%x, dtype="int8") > cast(-100f, dtype="int8")';
    const options = { needs: ['quantized'] } as const;
    expect(isSame(given, given, options)).toBe(true);
    expect(isSame(given, `logical_not(${given})`, options)).toBe(false);
  });
});
