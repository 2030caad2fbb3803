/** Convolutions of blocks: [passes §29](https://batonjs.github.io/baton/spec/passes#29). */
import type { Attrs, AttrValue } from '@baton/ir';
import { numbersOf, paddingLists } from '@baton/ops';
import { ownRule as rule, ruleSet } from '../rule/rule.ts';
import { padding } from './padding.ts';

/** A convolution of blocks `b` of data padded by `p`, cropped by `t`. */
interface Blocks {
  readonly b: AttrValue;
  readonly p: AttrValue;
  readonly t: AttrValue;
  /** The convolution's own padding, dilation and layout, and its other attributes. */
  readonly q: AttrValue;
  readonly d: AttrValue;
  readonly l: AttrValue;
  readonly w: Attrs;
}

/** Whether blocks are of all spatial axes, which come before the channels, and each place is computed. */
function isSpatial({ b, l, w }: Blocks): boolean {
  const layout = String(l);
  const keepsLayout = w.out_layout === '' || w.out_layout === layout;
  return (
    keepsLayout &&
    /^N[A-BD-MO-Z]+C$/.test(layout) &&
    layout.length === numbersOf(b).length + 2 &&
    numbersOf(w.strides).every((stride) => stride === 1)
  );
}

/** All widths before the data, then all after; none if more is cropped than padded. */
function joined({ b, p, q, t }: Blocks): ReadonlyArray<number> | undefined {
  const blocks = numbersOf(b);
  const rank = blocks.length;
  const [paddings, crops] = [listOf(p), listOf(t)];
  const widths = paddingLists(numbersOf(q), rank).map((own, i) => {
    const [axis, side] = [i % rank, i < rank ? 0 : 1];
    const given = numbersOf(paddings[axis])[side] ?? 0;
    return given + own * (blocks[axis] ?? 1) - (numbersOf(crops[axis])[side] ?? 0);
  });
  return widths.some((width) => width < 0) ? undefined : widths;
}

const listOf = (value: AttrValue): ReadonlyArray<AttrValue> => (Array.isArray(value) ? value : []);

/**
 * The element at place `i` of the result takes those at `i + b·(k·d − q)` of the padded data: that is a
 * convolution with dilation `b·d`, whose padding is `b·q` more, less the crop.
 */
export const dilations = ruleSet(
  'dilations',
  rule(
    'dilated convolution',
    'nn.batch_to_space_nd(?conv(nn.space_to_batch_nd(?x, block_shape=?b, paddings=?p, pad_value=0), ?k, padding=?q, dilation=?d, data_layout=?l, attrs=?w), block_shape=?b, crops=?t)',
    '?conv(?x, ?k, padding=?r, dilation=?e, data_layout=?l, attrs=?w)',
    {
      operators: { conv: padding('convolution') },
      needs: ['nsz', 'nnan', 'ninf'],
      when: isSpatial,
      let: {
        r: joined,
        e: ({ b, d }) => numbersOf(d).map((step, i) => step * (numbersOf(b)[i] ?? 1)),
      },
    },
  ),
);
