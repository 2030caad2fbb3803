/** A mask of the least float hides what is lost in a sum with it, and nothing larger. */
import { orThrow } from '@baton/base';
import { evaluateOp, type OpValue, standardOps } from '@baton/ops';
import { attention, why } from '@baton/rewrites';
import { type DType, dtypeInfo, isTensor, scalar, toNumbers } from '@baton/tensor';
import { describe, expect, it } from 'vitest';
import { program } from './support.ts';

const numbersOf = (value: OpValue): ReadonlyArray<number> =>
  isTensor(value) ? [...toNumbers(value)] : [];

/** Whether a score is lost in a sum with a mask. */
function isLost(score: number, mask: number, dtype: DType): boolean {
  const args = [scalar(score, dtype), scalar(mask, dtype)];
  const [sum] = numbersOf(orThrow(evaluateOp(standardOps, 'add', {}, args)));
  return sum === mask;
}

const least = (dtype: DType): number => Number(dtypeInfo(dtype).min);

/** The types of floats, with a score that is absorbed by the least of them, and one that is not. */
const SCORES: ReadonlyArray<readonly [DType, number, number]> = [
  ['float16', 15, 16.5],
  ['bfloat16', 2 ** 118, 2 ** 120],
  ['float32', 2 ** 102, 2 ** 104],
  ['float64', 2 ** 969, 2 ** 971],
];

describe('a score in a sum with a mask', () => {
  it.each(SCORES)('%s', (dtype, small, large) => {
    const losses = [small, -small, large].map((score) => isLost(score, least(dtype), dtype));
    expect(losses).toEqual([true, true, false]);
    expect(isLost(large, Number.NEGATIVE_INFINITY, dtype)).toBe(true);
  });
});

const [masked] = orThrow(attention).rules.filter(({ name }) => name === 'masked where');

/** Whether the rule holds for a number as a mask, whatever it costs. */
const isMask = (number: string, dtype: DType): boolean => {
  const params = `%c:Tensor[(2,3),bool] %x:Tensor[(2,3),${dtype}]`;
  const m = program(params, `where(%c, %x, ${number})`);
  return masked !== undefined && !orThrow(why(masked, m)).text.includes('condition');
};

describe('a mask becomes a sum where it hides scores of any usual size', () => {
  it.each([
    ['-3.4028235e38f', 'float32', true],
    ['-65504f16', 'float16', false],
    ['-1f', 'float32', false],
  ] as const)('%s, %s', (number, dtype, isRight) => {
    expect(isMask(number, dtype)).toBe(isRight);
  });
});
