/** Data in another shape or order: [passes §7](https://batonjs.github.io/baton/spec/passes#7). */
import { type AttrValue, isAnyDim, isStaticDim } from '@baton/ir';
import { rule, ruleSet } from '../rule/rule.ts';
import type { Term } from '../rule/term.ts';

/** The axes of a transpose; without any it turns them all around. */
const axesOf = (axes: AttrValue, { dims }: Term): ReadonlyArray<number> | undefined => {
  const rank = dims?.length;
  if (rank === undefined) return undefined;
  if (!Array.isArray(axes)) return Array.from({ length: rank }, (_, i) => rank - 1 - i);
  return axes.map((axis) => (Number(axis) < 0 ? Number(axis) + rank : Number(axis)));
};

/** The sizes of a tensor, if all are known. */
const sizesOf = ({ dims }: Term): ReadonlyArray<number> | undefined => {
  const known = dims?.filter(isStaticDim);
  return known?.length === dims?.length ? known : undefined;
};

/** Movements that cancel or merge. */
export const movement = ruleSet(
  'movement',
  rule('transpose of nothing', 'transpose(?x, axes=?a)', '?x', {
    when: ({ a, x }) => axesOf(a, x)?.every((axis, i) => axis === i) === true,
  }),
  rule(
    'transpose of transpose',
    'transpose(transpose(?x, axes=?a), axes=?b)',
    'transpose(?x, axes=?c)',
    {
      let: {
        c: ({ a, b, x }) => {
          const [inner, outer] = [axesOf(a, x), axesOf(b, x)];
          return inner && outer?.map((axis) => inner[axis] ?? 0);
        },
      },
    },
  ),
  rule('reshape to the same', 'reshape(?x, attrs=?a)', '?x', {
    // Two sizes that are not known may differ, though their types are equal.
    when: ({ x }) => x.dims?.some(isAnyDim) === false,
  }),
  rule(
    'reshape of reshape',
    'reshape(reshape(?x, attrs=?a), attrs=?b)',
    'reshape(?x, newshape=?s)',
    {
      let: { s: ({ result }) => sizesOf(result) },
    },
  ),
  rule('cast to the same', 'cast(?x, dtype=?d)', '?x'),
);
