/** `Pow`: the result has the base's element type; from 12 on the exponent may have another. */
import { isFloat } from '@baton/tensor';
import { alignedSecond, checkAligning } from '../families/aligned.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const pow: OnnxImporter = {
  opType: 'Pow',
  convert: (context) => {
    const isAligned = context.version < 7;
    if (!isAligned) checkAligning(context);
    const base = context.input(0);
    const exponent = isAligned ? alignedSecond(context) : context.input(1);
    if (context.hasFailed()) return undefined;
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
