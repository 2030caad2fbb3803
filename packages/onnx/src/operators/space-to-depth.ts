import type { OnnxOperator } from '../import/operator.ts';

/** `SpaceToDepth`: blocks of places become channels. */
export const spaceToDepth: OnnxOperator = {
  domain: '',
  opType: 'SpaceToDepth',
  versions: [1, 13],
  inputs: [1, 1],
  attributes: { blocksize: 'int' },
  needs: ['nn.space_to_depth'],
  convert: (context) => {
    const block_size = context.attributes.int('blocksize', 0);
    return context.call('nn.space_to_depth', [context.input(0)], { block_size });
  },
};
