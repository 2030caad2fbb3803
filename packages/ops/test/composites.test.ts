import { constant, type Expr } from '@baton/ir';
import {
  evaluateCall,
  logSumExp,
  meanVariance,
  moment,
  type OpValue,
  standardOps as ops,
  squared,
  std,
} from '@baton/ops';
import { expect, test } from 'vitest';
import { nested, right, t } from './support.ts';

const valueIn = (root: Expr): unknown => nested(evaluate(root));

function evaluate(expr: Expr): OpValue {
  if (expr._tag === 'Constant') return expr.data;
  if (expr._tag !== 'Call') throw new Error(expr._tag);
  return right(evaluateCall(ops, expr, expr.args.map(evaluate)));
}

const x = constant(t([1, 2, 3, 4], 'float64'));
const rows = constant(
  t(
    [
      [1, 3],
      [5, 9],
    ],
    'float64',
  ),
);

test('squared, mean and variance, standard deviation, moments', () => {
  expect(valueIn(squared(ops, x))).toEqual([1, 4, 9, 16]);
  const both = meanVariance(ops, rows, { axis: 1 });
  expect(valueIn(both.mean)).toEqual([2, 7]);
  expect(valueIn(both.variance)).toEqual([1, 4]);
  expect(valueIn(meanVariance(ops, rows, { axis: 1, keepdims: true }).mean)).toEqual([[2], [7]]);
  expect(valueIn(meanVariance(ops, rows, { axis: 1, unbiased: true }).variance)).toEqual([2, 8]);
  expect(valueIn(std(ops, rows, { axis: 0, exclude: true }))).toEqual([1, 2]);
  expect(valueIn(moment(ops, x, 2))).toBe(1.25);
  expect(valueIn(moment(ops, x, 4))).toBe(2.5625);
});

test('logsumexp does not overflow', () => {
  const large = constant(
    t(
      [
        [1000, 1000],
        [0, 0],
      ],
      'float64',
    ),
  );
  const expected = [1000 + Math.LN2, Math.LN2];
  expect(valueIn(logSumExp(ops, large, { axis: 1 }))).toEqual(expected);
  expect(valueIn(logSumExp(ops, large, { axis: 1, keepdims: true }))).toEqual(
    expected.map((v) => [v]),
  );
  expect(valueIn(logSumExp(ops, constant(t([0, 0], 'float64'))))).toBeCloseTo(Math.LN2, 15);
});
