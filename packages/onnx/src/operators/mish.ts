import { SOFTPLUS_NEEDS, softplusOf } from '../families/softplus.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `Mish`: x · tanh(log(1 + eˣ)). */
export const mish: OnnxOperator = {
  domain: '',
  opType: 'Mish',
  versions: [18, 22],
  inputs: [1, 1],
  attributes: {},
  needs: [...SOFTPLUS_NEEDS, 'tanh', 'multiply'],
  convert: (context) => {
    const x = context.input(0);
    return context.call('multiply', [x, context.call('tanh', [softplusOf(context, x)])]);
  },
};
