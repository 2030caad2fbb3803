import type { Dim } from '@baton/ir';
import { rowMajorStrides } from '@baton/tensor';
import { list, naturalInt, oneOf } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { f32 } from '../../example-types.ts';
import { movedBack } from '../../gradient/places.ts';
import { fromPlaces } from '../../kernels/index-map.ts';
import { ofTensor } from '../../relation/known.ts';
import { paddedType } from '../../relation/padded.ts';
import { padded } from '../../relayout/rules.ts';

export const mirrorPad = defineOp({
  name: 'nn.mirror_pad',
  doc: 'Pads by mirroring the data: `SYMMETRIC` repeats the edge, `REFLECT` does not.',
  source: 'operators §6; TensorFlow MirrorPad',
  attrs: attrs({
    mode: withDefault(oneOf('SYMMETRIC', 'REFLECT'), 'SYMMETRIC'),
    pad_width: list(list(naturalInt, [2])),
  }),
  relation: ofTensor((data, { mode, pad_width: widths }, context) => {
    const refusal = (dim: Dim, _padded: Dim, width: readonly [number, number]) => {
      const most = typeof dim !== 'number' ? Infinity : mode === 'REFLECT' ? dim - 1 : dim;
      return Math.max(...width) > Math.max(most, 0)
        ? 'more than one mirror image is requested'
        : undefined;
    };
    return paddedType(data, widths, refusal, context);
  }),
  kernel: (args, { mode, pad_width: widths }, out) => {
    const data = args.tensor(0);
    const strides = rowMajorStrides(data.shape);
    const border = mode === 'REFLECT' ? 0 : 1;
    return fromPlaces(data, out.shape, out, (index) =>
      index.reduce((place, at, axis) => {
        const dim = data.shape[axis] as number;
        const inside = at - (widths[axis]?.[0] ?? 0);
        const low = inside < 0 ? -inside - border : inside;
        const within = low >= dim ? 2 * dim - 2 + border - low : low;
        return place + within * (strides[axis] as number);
      }, 0),
    );
  },
  kind: 'movement',
  relayout: padded,
  gradient: (site) => [movedBack(site, (places) => site.op('nn.mirror_pad', [places], site.attrs))],
  examples: [
    {
      args: [f32(2, 3)],
      attrs: {
        pad_width: [
          [1, 1],
          [2, 0],
        ],
      },
      result: f32(4, 5),
    },
    { args: [f32(3)], attrs: { pad_width: [[2, 2]], mode: 'REFLECT' }, result: f32(7) },
  ],
});
