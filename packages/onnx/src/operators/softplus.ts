import { SOFTPLUS_NEEDS, softplusOf } from '../families/softplus.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `Softplus`: log(1 + eˣ). */
export const softplus: OnnxOperator = {
  domain: '',
  opType: 'Softplus',
  versions: [1, 22],
  inputs: [1, 1],
  attributes: {},
  needs: [...SOFTPLUS_NEEDS],
  convert: (context) => softplusOf(context, context.input(0)),
};
