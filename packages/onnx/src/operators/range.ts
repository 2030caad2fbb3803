import type { OnnxOperator } from '../node/operator.ts';

/** `Range`: numbers from a start up to a limit, in steps. */
export const range: OnnxOperator = {
  domain: '',
  opType: 'Range',
  versions: [11, 27],
  inputs: [3, 3],
  attributes: { stash_type: 'int' },
  needs: ['arange'],
  convert: (context) => {
    const bounds = [context.input(0), context.input(1), context.input(2)];
    return context.call('arange', bounds, { dtype: context.dtypeOf(context.input(0)) });
  },
};
