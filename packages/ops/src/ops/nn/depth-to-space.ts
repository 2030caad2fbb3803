import { f32 } from '../../example-types.ts';
import { movingBlocks } from '../../families/blocks.ts';
import { depthToSpace as kernel } from '../../kernels/blocks.ts';

export const depthToSpace = movingBlocks({
  name: 'nn.depth_to_space',
  doc: 'Channels become blocks of pixels: `DCR` reads the block first, `CRD` the channel.',
  source: 'operators §6; ONNX DepthToSpace-13',
  toSpace: true,
  kernel,
  onnx: {
    opType: 'DepthToSpace',
    versions: [1, 11, 13, 28],
    attributes: [
      { name: 'blocksize', as: 'block_size', kind: 'int', defaultValue: 0 },
      { name: 'mode', as: 'mode', kind: 'string', defaultValue: 'DCR' },
    ],
  },
  examples: [
    { args: [f32(2, 8, 3, 5)], attrs: { block_size: 2 }, result: f32(2, 2, 6, 10) },
    {
      args: [f32(1, 3, 5, 9)],
      attrs: { block_size: 3, layout: 'NHWC', mode: 'CRD' },
      result: f32(1, 9, 15, 1),
    },
  ],
});
