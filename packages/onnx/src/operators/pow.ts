/** `Pow`: the result has the base's element type; from 12 on the exponent may have another. */
import { isFloat } from '@baton/tensor';
import type { OnnxOperator } from '../node/operator.ts';

export const pow: OnnxOperator = {
  opType: 'Pow',
  versions: [7, 12, 13, 15],
  inputs: [2, 2],
  convert: (context) => {
    const [base, exponent] = [context.input(0), context.input(1)];
    const [dtype, other] = [context.dtypeOf(base), context.dtypeOf(exponent)];
    if (dtype === other) return context.call('power', [base, exponent]);
    // An integer to a fractional power is computed in the exponent's type.
    if (!isFloat(dtype) && isFloat(other)) {
      const wide = context.call('cast', [base], { dtype: other });
      return context.call('cast', [context.call('power', [wide, exponent])], { dtype });
    }
    return context.call('power', [base, context.call('cast', [exponent], { dtype })]);
  },
};
