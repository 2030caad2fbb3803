/** Pads inside convolutions and pools: [passes §23](https://batonjs.github.io/baton/spec/passes#23). */
import type { Attrs, AttrValue } from '@baton/ir';
import { numbersOf, type OwnPadding, ownPaddingOf } from '@baton/ops';
import { dtypeInfo, readBigInt, readNumber } from '@baton/tensor';
import type { MatchedValue } from '../rule/matched-value.ts';
import { type OperatorTest, ownRule as rule, ruleSet } from '../rule/rule.ts';

/** The operators that pad their windows in a way. */
export const padding =
  (kind: OwnPadding): OperatorTest =>
  (ops, name) =>
    ownPaddingOf(ops, name) === kind;

/** A pad `p` of data in the layout `l`, before an operator that pads by `q` itself. */
interface Pads {
  readonly p: AttrValue;
  readonly q: AttrValue;
  readonly l: AttrValue;
}

const SPATIAL = 'DHW';

/** The widths of both pads, all befores, then all afters; none if not only spatial axes are padded. */
function joined({ p, q, l }: Pads): ReadonlyArray<number> | undefined {
  // Letters in order; lower-case ones are blocks.
  const axes = [...String(l).replace(/\d+/g, '')];
  const widths = Array.isArray(p) ? p : [];
  const widthsOf = (axis: string): ReadonlyArray<number> => numbersOf(widths[axes.indexOf(axis)]);
  const spatial = [...SPATIAL].filter((axis) => axes.includes(axis)).map(widthsOf);
  const others = axes.filter((axis) => !SPATIAL.includes(axis)).flatMap(widthsOf);
  const isSplit = axes.some((axis) => SPATIAL.toLowerCase().includes(axis));
  if (isSplit || others.some((width) => width !== 0)) return undefined;
  if (spatial.flat().some((width) => width < 0)) return undefined;
  const own = numbersOf(q);
  const sides = [...spatial.map(([before]) => before), ...spatial.map(([, after]) => after)];
  return sides.map((width = 0, i) => width + (own[i % own.length] ?? 0));
}

const isZero = ({ v }: { readonly v: MatchedValue }): boolean =>
  v.constant !== undefined && readNumber(v.constant, 0) === 0;

/** Whether a maximum takes no such value: it is the least of its type. */
const isLeast = ({ v: { constant } }: { readonly v: MatchedValue }): boolean => {
  if (constant === undefined) return false;
  const { min } = dtypeInfo(constant.dtype);
  if (typeof min === 'bigint') return readBigInt(constant, 0) === min;
  const value = readNumber(constant, 0);
  return value === min || value === Number.NEGATIVE_INFINITY;
};

/** Whether every window holds a cell that is not padding. */
function staysInside(holes: Pads & { readonly w: Attrs }): boolean {
  const { pool_size: pool, dilation } = holes.w;
  const [sizes, steps] = [numbersOf(pool), numbersOf(dilation)];
  return (
    joined(holes)?.every((width, i) => {
      const [cells = 1, step = 1] = [sizes[i % sizes.length], steps[i % steps.length]];
      return width <= (cells - 1) * step;
    }) === true
  );
}

/** A cell that is padding is left out, unlike a zero times the weight. */
const PADS = {
  let: { r: joined },
  needs: ['nsz', 'nnan', 'ninf'],
  orient: 'canonical',
} as const;

/**
 * op(pad(x, p), padding=q) = op(x, padding=p + q), where the pad has what the operator pads with. A
 * pool that rounds its size up tells cells from padding.
 */
export const paddings = ruleSet(
  'paddings',
  rule(
    'pad of a convolution',
    '?conv(nn.pad(?x, ?v, pad_width=?p), ?k, padding=?q, data_layout=?l, attrs=?w)',
    '?conv(?x, ?k, padding=?r, data_layout=?l, attrs=?w)',
    { ...PADS, operators: { conv: padding('convolution') }, when: isZero },
  ),
  rule(
    'pad of a maximum',
    '?pool(nn.pad(?x, ?v, pad_width=?p), padding=?q, layout=?l, ceil_mode=False, attrs=?w)',
    '?pool(?x, padding=?r, layout=?l, ceil_mode=False, attrs=?w)',
    { ...PADS, operators: { pool: padding('maximum') }, when: [isLeast, staysInside] },
  ),
  rule(
    'pad of a mean',
    '?pool(nn.pad(?x, ?v, pad_width=?p), padding=?q, layout=?l, ceil_mode=False, count_include_pad=True, attrs=?w)',
    '?pool(?x, padding=?r, layout=?l, ceil_mode=False, count_include_pad=True, attrs=?w)',
    { ...PADS, operators: { pool: padding('mean') }, when: isZero },
  ),
  // A mean that leaves its own padding out, of which it has none, counts the cells of the pad.
  rule(
    'mean that now counts padding',
    '?pool(nn.pad(?x, ?v, pad_width=?p), padding=?q, layout=?l, ceil_mode=False, count_include_pad=False, attrs=?w)',
    '?pool(?x, padding=?r, layout=?l, ceil_mode=False, count_include_pad=True, attrs=?w)',
    {
      ...PADS,
      operators: { pool: padding('mean') },
      when: [isZero, ({ q }) => numbersOf(q).every((width) => width === 0)],
    },
  ),
);
