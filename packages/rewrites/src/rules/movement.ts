/** Data in another shape or order: [passes §7](https://batonjs.github.io/baton/spec/passes#7). */
import { type AttrValue, isAnyDim } from '@baton/ir';
import { reshapingOf } from '@baton/ops';
import type { MatchedValue } from '../rule/matched-value.ts';
import { type OperatorTest, ownRule as rule, ruleSet } from '../rule/rule.ts';
import { allowZero, fromFront, sizesOf } from './axes.ts';

/** For each axis of the result of a transpose, the argument's axis; without any it turns them all. */
const axesOf = (axes: AttrValue, { dims }: MatchedValue): ReadonlyArray<number> | undefined => {
  const rank = dims?.length;
  if (rank === undefined) return undefined;
  if (!Array.isArray(axes)) return Array.from({ length: rank }, (_, i) => rank - 1 - i);
  return axes.map((axis) => fromFront(axis, rank));
};

/** The axes of a layout, unless some letter has two blocks, which are ordered. */
function lettersOf(layout: AttrValue): ReadonlyArray<string> | undefined {
  const axes = String(layout).match(/[0-9]*[A-Za-z]/g) ?? [];
  const letters = axes.map((axis) => axis.slice(-1));
  return new Set(letters).size === letters.length ? axes : undefined;
}

/** The permutation between two layouts; lower-case letters are blocks, of which it makes none. */
const permutation = (from: AttrValue, to: AttrValue): ReadonlyArray<number> | undefined =>
  [from, to].every((layout) => /^[A-Z]+$/.test(String(layout)))
    ? [...String(to)].map((letter) => String(from).indexOf(letter))
    : undefined;

/** A reshape to known sizes. */
const TO_SIZES = {
  let: {
    s: ({ result }: { readonly result: MatchedValue }) => sizesOf(result),
    z: ({ result }: { readonly result: MatchedValue }) => allowZero(sizesOf(result)),
  },
  orient: 'canonical',
} as const;

/** The operators that reshape to codes of their own notation. */
const reshapesByCodes: OperatorTest = (ops, name) =>
  name !== 'reshape' && reshapingOf(ops, name) === 'freely';

/** expand_dims(x, 0 axes) = x */
export const expandNothing = rule(
  'expand_dims of nothing',
  'expand_dims(?x, axis=?a, num_newaxis=0)',
  '?x',
  { orient: 'canonical' },
);

/** Reshapes that do nothing, or that another does again. */
const RESHAPES = [
  // reshape(x, shape of x) = x; two sizes that are not known may differ, though their types are equal.
  rule('reshape to the same', 'reshape(?x, attrs=?a)', '?x', {
    when: ({ x }) => x.dims?.some(isAnyDim) === false,
  }),
  // reshape(reshape(x, a), b) = reshape(x, b)
  rule(
    'reshape of reshape',
    'reshape(reshape(?x, attrs=?a), attrs=?b)',
    'reshape(?x, newshape=?s, allowzero=?z)',
    TO_SIZES,
  ),
  // Whatever the codes mean, the result is a reshape to known sizes.
  rule('reshape by codes', '?op(?x, attrs=?a)', 'reshape(?x, newshape=?s, allowzero=?z)', {
    ...TO_SIZES,
    operators: { op: reshapesByCodes },
  }),
  expandNothing,
];

/** Reshapes that do nothing, or that another does again: a part of {@link movement}. */
export const reshapes = ruleSet('reshapes', ...RESHAPES);

/** Movements that cancel or merge. */
export const movement = ruleSet(
  'movement',

  // transpose(x, [0, 1, ..]) = x
  rule('transpose of nothing', 'transpose(?x, axes=?a)', '?x', {
    when: ({ a, x }) => axesOf(a, x)?.every((axis, i) => axis === i) === true,
  }),
  // transpose(transpose(x, a), b) = transpose(x, a[b])
  rule(
    'transpose of transpose',
    'transpose(transpose(?x, axes=?a), axes=?b)',
    'transpose(?x, axes=?c)',
    {
      let: {
        c: ({ a, b, x }) => {
          const [inner, outer] = [axesOf(a, x), axesOf(b, x)];
          return inner && outer?.map((axis) => inner[axis] ?? axis);
        },
      },
      orient: 'canonical',
    },
  ),

  // layout(x, a, a) = x
  rule('layout of nothing', 'layout_transform(?x, src_layout=?a, dst_layout=?a)', '?x'),
  // layout(layout(x, a, b), b, c) = layout(x, a, c)
  rule(
    'layout of layout',
    'layout_transform(layout_transform(?x, src_layout=?a, dst_layout=?b), src_layout=?b, dst_layout=?c)',
    'layout_transform(?x, src_layout=?a, dst_layout=?c)',
    { orient: 'canonical' },
  ),
  // layout(x, "NCHW", "NHWC") = transpose(x, [0, 2, 3, 1])
  rule(
    'layout without blocks',
    'layout_transform(?x, src_layout=?a, dst_layout=?b)',
    'transpose(?x, axes=?c)',
    { let: { c: ({ a, b }) => permutation(a, b) }, orient: 'canonical' },
  ),
  // A transpose next to a change of layout permutes the layout that this ends in, or starts from.
  rule(
    'transpose of layout',
    'transpose(layout_transform(?x, src_layout=?a, dst_layout=?b), axes=?p)',
    'layout_transform(?x, src_layout=?a, dst_layout=?c)',
    {
      let: {
        c: ({ b, p, result }) => {
          const [axes, order] = [lettersOf(b), axesOf(p, result)];
          return axes && order?.map((axis) => axes[axis] ?? '').join('');
        },
      },
      orient: 'canonical',
    },
  ),
  rule(
    'layout of transpose',
    'layout_transform(transpose(?x, axes=?p), src_layout=?a, dst_layout=?b)',
    'layout_transform(?x, src_layout=?c, dst_layout=?b)',
    {
      let: {
        c: ({ a, p, x }) => {
          const [axes, order] = [lettersOf(a), axesOf(p, x)];
          return axes && order && axes.map((_, axis) => axes[order.indexOf(axis)] ?? '').join('');
        },
      },
      orient: 'canonical',
    },
  ),

  ...RESHAPES,
);
