import type { Dim } from '@baton/ir';
import { scalar } from '@baton/tensor';
import { int, list, oneOf } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { f32 } from '../../example-types.ts';
import { movedBack } from '../../gradient/places.ts';
import { padWithOwn } from '../../kernels/pad.ts';
import { hasRank, ofTwo, sameDType } from '../../relation/known.ts';
import { paddedType } from '../../relation/padded.ts';
import { padded } from '../../relayout/rules.ts';
import { padScale } from '../../scale-axis/maps.ts';

type Pairs = ReadonlyArray<ReadonlyArray<number>>;

const borderOf = (pairs: Pairs) => ({
  before: pairs.map(([before = 0]) => before),
  after: pairs.map(([, after = 0]) => after),
});

export const pad = defineOp({
  name: 'nn.pad',
  doc: 'Pads the data: `pad_width` lists (before, after) for each axis; negative values crop.',
  source: 'operators §6; NumPy pad',
  attrs: attrs({
    pad_width: list(list(int, [2])),
    pad_mode: withDefault(oneOf('constant', 'edge', 'reflect'), 'constant'),
  }),
  relation: ofTwo((data, value, { pad_width: widths, pad_mode: mode }, context) => {
    if (!hasRank(value, '`pad_value`', [0], context)) return undefined;
    if (sameDType(data.dtype, value.dtype, '`pad_value`', context) === undefined) return undefined;
    const refusal = (dim: Dim, padded: Dim): string | undefined => {
      if (typeof padded === 'number' && padded < 0) return 'more is cropped than there is';
      const isBare = mode !== 'constant' && dim === 0 && padded !== 0;
      return isBare ? `nothing to pad with in mode ${mode}` : undefined;
    };
    return paddedType(data, widths, refusal, context);
  }),
  kernel: (args, { pad_width: pairs, pad_mode: mode }, out) =>
    padWithOwn(args.tensor(0), borderOf(pairs), mode === 'constant' ? 'edge' : mode, out),
  form: {
    _tag: 'Pad',
    border: ({ pad_width: pairs, pad_mode: mode }) =>
      mode === 'constant' ? borderOf(pairs) : undefined,
  },
  relayout: padded,
  scaleAxis: padScale,
  // Cropping undoes padding, and padding with 0 undoes cropping.
  gradient: (site) => {
    const { args, g, attrs: given, op, number, times, scalar } = site;
    if (given.pad_mode !== 'constant') {
      const none = scalar(0, 'int64');
      return [movedBack(site, (places) => op('nn.pad', [places, none], given))];
    }
    const undone = given.pad_width.map((pair) => pair.map((n) => -n));
    const isPadding = op('nn.pad', [op('zeros_like', [args[0]]), number(1)], given);
    return [op('nn.pad', [g, number(0)], { pad_width: undone }), op('sum', [times(g, isPadding)])];
  },
  examples: [
    {
      args: [f32(2, 3), f32()],
      attrs: {
        pad_width: [
          [0, 1],
          [2, 0],
        ],
      },
      result: f32(3, 5),
    },
    {
      args: [f32(2, 3), scalar(0, 'float32')],
      attrs: {
        pad_width: [
          [1, 1],
          [2, 2],
        ],
        pad_mode: 'reflect',
      },
      result: f32(4, 7),
    },
    {
      args: [f32(2, 3), f32()],
      attrs: {
        pad_width: [
          [0, 2],
          [1, 0],
        ],
        pad_mode: 'edge',
      },
      result: f32(4, 4),
    },
  ],
});
