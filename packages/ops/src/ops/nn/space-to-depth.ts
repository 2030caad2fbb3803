import { f32 } from '../../example-types.ts';
import { movingBlocks } from '../../families/blocks.ts';
import { spaceToDepth as kernel } from '../../kernels/blocks.ts';

export const spaceToDepth = movingBlocks({
  name: 'nn.space_to_depth',
  doc: 'Blocks of pixels become channels: `DCR` counts the block first, `CRD` the channel.',
  source: 'operators §6; ONNX SpaceToDepth-13',
  toSpace: false,
  kernel,
  onnx: {
    opType: 'SpaceToDepth',
    versions: [1, 13, 28],
    attributes: [
      { name: 'blocksize', as: 'block_size', kind: 'int', defaultValue: 0 },
      { name: 'mode', as: 'mode', kind: 'string', defaultValue: 'DCR' },
    ],
  },
  examples: [
    { args: [f32(2, 2, 6, 10)], attrs: { block_size: 2 }, result: f32(2, 8, 3, 5) },
    {
      args: [f32(1, 9, 15, 1)],
      attrs: { block_size: 3, layout: 'NHWC', mode: 'CRD' },
      result: f32(1, 3, 5, 9),
    },
  ],
});
