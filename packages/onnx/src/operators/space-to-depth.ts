import type { OnnxOperator } from '../node/operator.ts';

/** `SpaceToDepth`: blocks of places become channels. */
export const spaceToDepth: OnnxOperator = {
  domain: '',
  opType: 'SpaceToDepth',
  versions: [1, 13, 28],
  inputs: [1, 1],
  attributes: { blocksize: 'int', mode: 'string' },
  needs: ['nn.space_to_depth'],
  convert: (context) => {
    const attrs = {
      block_size: context.attributes.int('blocksize', 0),
      mode: context.attributes.string('mode', 'DCR'),
    };
    return context.call('nn.space_to_depth', [context.input(0)], attrs);
  },
};
