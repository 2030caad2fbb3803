import { type Dim, divideDims, multiplyDims, tensorType } from '@baton/ir';
import { positiveInt } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { dimMismatch } from '../../diagnostics.ts';
import { f32, i32 } from '../../example-types.ts';
import { knownSizes, looksAt } from '../../form/views.ts';
import { reshaped, transposed } from '../../moves.ts';
import { hasRank, ofTensor, report } from '../../relation/known.ts';

export const yoloReorg = defineOp({
  name: 'vision.yolo_reorg',
  doc: 'Pixels of an image rearranged into channels, as in Darknet: its channels are read as blocks of pixels, which become channels of a smaller image.',
  source: 'operators §8; Redmon and Farhadi, "YOLO9000" (2016); Relay v0.14 vision.yolo_reorg',
  attrs: attrs({ stride: withDefault(positiveInt, 1) }),
  relation: ofTensor((data, { stride }, context) => {
    if (!hasRank(data, '`data`', [4], context)) return undefined;
    const [batch, channels, height, width] = data.shape as readonly [Dim, Dim, Dim, Dim];
    for (const [what, dim, by] of [
      ['the channels', channels, stride * stride],
      ['the height', height, stride],
      ['the width', width, stride],
    ] as const) {
      if (typeof dim !== 'number' || dim % by === 0) continue;
      return report(context, dimMismatch(what, `a multiple of ${by}`, dim));
    }
    const [rows, columns] = [divideDims(height, stride), divideDims(width, stride)];
    if (rows === undefined || columns === undefined) return undefined;
    const shape = [batch, multiplyDims(channels, stride * stride), rows, columns];
    return tensorType(shape, data.dtype);
  }),
  form: {
    _tag: 'View',
    views: ({ attrs: { stride }, given: [shape], results: [result = []] }) => {
      const sizes = knownSizes(shape);
      if (sizes === undefined) return undefined;
      const { blocks, axes } = blocksOf(sizes, stride);
      return looksAt(reshaped(blocks), transposed(axes), reshaped(result));
    },
  },
  definition: ({ args: [x], attrs: { stride }, sizes, resultSizes, reshape, transpose }) => {
    const { blocks, axes } = blocksOf(sizes(0), stride);
    return reshape(transpose(reshape(x, blocks), axes), resultSizes());
  },
  examples: [
    { args: [f32(2, 8, 4, 6)], attrs: { stride: 2 }, result: f32(2, 32, 2, 3) },
    { args: [i32(1, 3, 2, 2)], result: i32(1, 3, 2, 2) },
  ],
});

/** The axes of the blocks of the data, and their order in the result. */
function blocksOf(
  [batch = 0, channels = 0, height = 0, width = 0]: ReadonlyArray<number>,
  stride: number,
): { readonly blocks: ReadonlyArray<number>; readonly axes: ReadonlyArray<number> } {
  const groups = channels / (stride * stride);
  return {
    blocks: [batch, groups, height, stride, width, stride],
    axes: [0, 3, 5, 1, 2, 4],
  };
}
