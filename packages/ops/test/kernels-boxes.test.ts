/** Suppression of boxes whose scores are not numbers. */
import type { OpValue } from '@baton/ops';
import { isTensor, toNumbers } from '@baton/tensor';
import { expect, test } from 'vitest';
import { run, t } from './support.ts';

/** The elements of each result. */
const lists = (value: OpValue): ReadonlyArray<ReadonlyArray<number>> =>
  isTensor(value) ? [Array.from(toNumbers(value))] : value.flatMap(lists);

/** Rows of a class, a score and a unit box of its own. */
const rowsOf = (scores: ReadonlyArray<number>) =>
  scores.map((score, i) => [0, score, 10 * i, 0, 10 * i + 1, 1]);

test.each([
  ['in front', [Number.NaN, 0.25, 0.5, 0.75], [3, 2, 1, 0]],
  ['between', [0.75, Number.NaN, 0.5, Number.NaN, 0.25], [0, 2, 4, 1, 3]],
])('scores that are no numbers come last: %s', (_, scores, order) => {
  const found = run('vision.non_max_suppression', [
    t([rowsOf(scores)]),
    t([scores.length], 'int32'),
    t([scores.map((__, i) => i)], 'int32'),
    t(-1, 'int32'),
    t(0.5),
  ]);
  expect(lists(found)[0]).toEqual(order);
});
