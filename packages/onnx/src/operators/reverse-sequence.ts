import type { OnnxOperator } from '../node/operator.ts';

/** `ReverseSequence`: the beginning of each batch turned round. */
export const reverseSequence: OnnxOperator = {
  domain: '',
  opType: 'ReverseSequence',
  versions: [10, 28],
  inputs: [2, 2],
  attributes: { batch_axis: 'int', time_axis: 'int' },
  needs: ['reverse_sequence'],
  convert: (context) => {
    return context.call('reverse_sequence', [context.input(0), context.input(1)], {
      seq_axis: context.attributes.int('time_axis', 0),
      batch_axis: context.attributes.int('batch_axis', 1),
    });
  },
};
