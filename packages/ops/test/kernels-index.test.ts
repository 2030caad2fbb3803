/** Values of operators that gather elements, and of those that compare them. */
import { orThrow } from '@baton/base';
import { evaluateOp, type OpValue, standardOps } from '@baton/ops';
import { fromNumbers, isTensor, type Tensor, toNumbers } from '@baton/tensor';
import { expect, test } from 'vitest';

const vector = (numbers: ReadonlyArray<number>, dtype: 'float32' | 'int32' = 'float32'): Tensor =>
  fromNumbers(numbers, [numbers.length], dtype);

const listsOf = (value: OpValue): ReadonlyArray<ReadonlyArray<number>> =>
  isTensor(value) ? [Array.from(toNumbers(value))] : value.flatMap(listsOf);

test('adv_index takes elements at indices that broadcast', () => {
  const data = fromNumbers(
    Array.from({ length: 12 }, (_, i) => i),
    [4, 3],
    'float32',
  );
  const rows = fromNumbers([0, 3], [2, 1], 'int32');
  const value = orThrow(
    evaluateOp(standardOps, 'adv_index', {}, [[data, rows, vector([2, -3], 'int32')]]),
  );
  expect(listsOf(value)).toEqual([[2, 0, 11, 9]]);
  const whole = orThrow(evaluateOp(standardOps, 'adv_index', {}, [[data, vector([1], 'int32')]]));
  expect(listsOf(whole)).toEqual([[3, 4, 5]]);
});

const unique = (numbers: ReadonlyArray<number>, sorted: boolean) => {
  const attrs = { sorted, return_counts: true };
  return listsOf(orThrow(evaluateOp(standardOps, 'unique', attrs, [vector(numbers)])));
};

test('unique sorts, and says where each element is', () => {
  expect(unique([3, 1, 3, 2, 1], true)).toEqual([
    [1, 2, 3],
    [1, 3, 0],
    [2, 0, 2, 1, 0],
    [3],
    [2, 1, 2],
  ]);
  expect(unique([3, 1, 3, 2, 1], false)).toEqual([
    [3, 1, 2],
    [0, 1, 3],
    [0, 1, 0, 2, 1],
    [3],
    [2, 2, 1],
  ]);
});

test('unique takes zeros for equal, and NaNs, which come last', () => {
  expect(unique([Number.NaN, 0, -0, Number.NaN, -1], true)).toEqual([
    [-1, 0, Number.NaN],
    [4, 1, 0],
    [2, 1, 1, 2, 0],
    [3],
    [1, 2, 2],
  ]);
  expect(unique([], true)).toEqual([[], [], [], [0], []]);
});
