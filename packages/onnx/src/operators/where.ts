import type { OnnxOperator } from '../node/operator.ts';

/** `Where`: three tensors that broadcast. */
export const where: OnnxOperator = {
  domain: '',
  opType: 'Where',
  versions: [9, 16],
  inputs: [3, 3],
  attributes: {},
  needs: ['where'],
  convert: (context) =>
    context.call('where', [context.input(0), context.input(1), context.input(2)]),
};
