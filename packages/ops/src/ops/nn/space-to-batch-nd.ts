import { addDims, type Dim, divideDims, multiplyDims, tensorType } from '@baton/ir';
import { full } from '@baton/tensor';
import { float, list, naturalInt, positiveInt } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { dimMismatch, wrongRank } from '../../diagnostics.ts';
import { f32 } from '../../example-types.ts';
import { spaceToBatch as kernel } from '../../kernels/batch-blocks.ts';
import { padConstant } from '../../kernels/pad.ts';
import { ofTensor, report } from '../../relation/known.ts';

export const spaceToBatchNd = defineOp({
  name: 'nn.space_to_batch_nd',
  doc: 'Blocks of the padded spatial axes (those after the first) become batches.',
  source: 'operators §6; TensorFlow SpaceToBatchND',
  attrs: attrs({
    block_shape: list(positiveInt),
    paddings: list(list(naturalInt, [2])),
    pad_value: withDefault(float, 0),
  }),
  relation: ofTensor((data, { block_shape: blocks, paddings }, context) => {
    const rank = data.shape.length;
    if (rank <= blocks.length || paddings.length !== blocks.length) {
      const expected = `rank ${blocks.length + 1} or more, with as many paddings as blocks`;
      return report(context, wrongRank('`data`', expected, rank));
    }
    const spatial: Dim[] = [];
    for (const [i, block] of blocks.entries()) {
      const [before = 0, after = 0] = paddings[i] ?? [];
      const padded = addDims(data.shape[i + 1] as Dim, before + after);
      const part = divideDims(padded, block);
      if (part === undefined) {
        const what = `axis ${i + 1} with its padding`;
        return report(context, dimMismatch(what, `a multiple of ${block}`, padded));
      }
      spatial.push(part);
    }
    const batch = blocks.reduce<Dim>(multiplyDims, data.shape[0] as Dim);
    return tensorType([batch, ...spatial, ...data.shape.slice(1 + blocks.length)], data.dtype);
  }),
  kernel: (args, { block_shape: blocks, paddings, pad_value: value }, out) => {
    const data = args.tensor(0);
    const pairs = data.shape.map((_, axis) => paddings[axis - 1] ?? [0, 0]);
    const widths = {
      before: pairs.map(([before = 0]) => before),
      after: pairs.map(([, after = 0]) => after),
    };
    return kernel(padConstant(data, widths, full([], data.dtype, value, out), out), blocks, out);
  },
  kind: 'movement',
  gradient: ({ g, attrs: { block_shape, paddings: crops }, op }) => [
    op('nn.batch_to_space_nd', [g], { block_shape, crops }),
  ],
  examples: [
    {
      args: [f32(1, 4, 3, 2)],
      attrs: {
        block_shape: [2, 2],
        paddings: [
          [0, 0],
          [1, 0],
        ],
      },
      result: f32(4, 2, 2, 2),
    },
  ],
});
