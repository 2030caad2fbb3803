import type { OnnxOperator } from '../node/operator.ts';

/** `DepthToSpace`: channels become blocks of places. */
export const depthToSpace: OnnxOperator = {
  domain: '',
  opType: 'DepthToSpace',
  versions: [1, 11, 13, 28],
  inputs: [1, 1],
  attributes: { blocksize: 'int', mode: 'string' },
  needs: ['nn.depth_to_space'],
  convert: (context) => {
    const attrs = {
      block_size: context.attributes.int('blocksize', 0),
      mode: context.attributes.string('mode', 'DCR'),
    };
    return context.call('nn.depth_to_space', [context.input(0)], attrs);
  },
};
