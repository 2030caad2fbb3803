import { positiveInt } from '../../attrs/codecs.ts';
import { attrs } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { frontAxis } from '../../definition/axes.ts';
import type { FactSite } from '../../definition/site.ts';
import { dimMismatch } from '../../diagnostics.ts';
import { f32 } from '../../example-types.ts';
import {
  affineOf,
  type NormalizationAttrs,
  normalizationProps,
  standardized,
} from '../../families/normalization.ts';
import { groupNorm as kernel } from '../../kernels/normalization.ts';
import { channelData } from '../../relation/channels.ts';
import { dimAt, inDomain, report } from '../../relation/known.ts';

export const groupNorm = defineOp({
  name: 'nn.group_norm',
  doc: 'Normalizes each of `num_groups` groups of channels, then scales and shifts each channel.',
  source: 'operators §7; Wu and He, "Group Normalization" (2018)',
  inputs: ['data', 'gamma', 'beta'],
  attrs: attrs({ num_groups: positiveInt, ...normalizationProps(1) }),
  relation: (args, { axis, num_groups: groups }, context) => {
    const found = channelData(args, axis, ['gamma', 'beta'], context);
    if (found === undefined || !inDomain(found.data.dtype, 'float', context)) return undefined;
    const channels = dimAt(found.data, found.axis);
    if (typeof channels === 'number' && channels % groups !== 0) {
      const expected = `a multiple of num_groups = ${groups}`;
      return report(context, dimMismatch('the channels', expected, channels));
    }
    return context.resolve(found.data.type);
  },
  kernel: (args, attrs, out) =>
    kernel(args.tensor(0), attrs.num_groups, affineOf(args, attrs), out),
  kind: 'normalization',
  definition: standardized(
    (site) => grouped(site).flatMap((_, i) => (i === 0 || i === axisOf(site) ? [] : [i])),
    {
      of: 'reshape(?data, newshape=?groups)',
      result: 'reshape(%2, newshape=?sizes)',
      let: { groups: grouped, sizes: ({ sizes }) => sizes(0) },
    },
  ),
  examples: [
    { args: [f32(2, 6, 3), f32(6), f32(6)], attrs: { num_groups: 3 }, result: f32(2, 6, 3) },
  ],
});

type Groups = FactSite<NormalizationAttrs & { readonly num_groups: number }>;

const axisOf = (site: Groups): number => frontAxis(site, site.attrs.axis);

/** The sizes of the data, with the channels split into groups. */
function grouped(site: Groups): ReadonlyArray<number> {
  const { num_groups: groups } = site.attrs;
  const axis = axisOf(site);
  return site.sizes(0).flatMap((size, i) => (i === axis ? [groups, size / groups] : [size]));
}
