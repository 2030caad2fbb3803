import { addDims, type Dim, divideDims, multiplyDims, tensorType } from '@baton/ir';
import { list, naturalInt, positiveInt } from '../../attrs/codecs.ts';
import { attrs } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { badExtent, dimMismatch, wrongRank } from '../../diagnostics.ts';
import { f32 } from '../../example-types.ts';
import { batchToSpace as kernel } from '../../kernels/batch-blocks.ts';
import { ofTensor, report } from '../../relation/known.ts';

export const batchToSpaceNd = defineOp({
  name: 'nn.batch_to_space_nd',
  doc: 'Batches become blocks of the spatial axes (those after the first), which are then cropped.',
  source: 'operators §6; TensorFlow BatchToSpaceND',
  attrs: attrs({ block_shape: list(positiveInt), crops: list(list(naturalInt, [2])) }),
  relation: ofTensor((data, { block_shape: blocks, crops }, context) => {
    const rank = data.shape.length;
    if (rank <= blocks.length || crops.length !== blocks.length) {
      const expected = `rank ${blocks.length + 1} or more, with as many crops as blocks`;
      return report(context, wrongRank('`data`', expected, rank));
    }
    const count = blocks.reduce((a, b) => a * b, 1);
    const lead = data.shape[0] as Dim;
    const batch = divideDims(lead, count);
    if (batch === undefined) {
      return report(context, dimMismatch('the batch', `a multiple of ${count}`, lead));
    }
    const spatial: Dim[] = [];
    for (const [i, block] of blocks.entries()) {
      const [before = 0, after = 0] = crops[i] ?? [];
      const whole = multiplyDims(data.shape[i + 1] as Dim, block);
      const dim = addDims(whole, -before - after);
      if (typeof dim === 'number' && dim < 0) {
        return report(context, badExtent(`axis ${i + 1}`, 'more is cropped than there is'));
      }
      spatial.push(dim);
    }
    return tensorType([batch, ...spatial, ...data.shape.slice(1 + blocks.length)], data.dtype);
  }),
  kernel: (args, { block_shape: blocks, crops }, out) => kernel(args.tensor(0), blocks, crops, out),
  kind: 'movement',
  gradient: ({ g, attrs: { block_shape, crops: paddings }, op }) => [
    op('nn.space_to_batch_nd', [g], { block_shape, paddings }),
  ],
  examples: [
    {
      args: [f32(4, 2, 2, 2)],
      attrs: {
        block_shape: [2, 2],
        crops: [
          [0, 0],
          [1, 0],
        ],
      },
      result: f32(1, 4, 3, 2),
    },
  ],
});
