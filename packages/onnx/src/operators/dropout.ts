import { readNumber } from '@baton/tensor';
import type { OnnxOperator } from '../import/operator.ts';

/** `Dropout` at inference: the data as they are. The mask is not imported. */
export const dropout: OnnxOperator = {
  domain: '',
  opType: 'Dropout',
  versions: [7, 10, 12, 13, 22],
  inputs: [1, 3],
  attributes: { ratio: 'float', seed: 'int' },
  needs: ['nn.dropout'],
  convert: (context) => {
    const training = context.optional(2);
    const mode = training === undefined ? undefined : context.valueOf(training);
    if (training !== undefined && (mode === undefined || readNumber(mode, 0) !== 0)) {
      return context.fail('ONNX_UNSUPPORTED', 'dropout in training is not imported');
    }
    const ratio = context.optional(1);
    const value = ratio === undefined ? undefined : context.valueOf(ratio);
    const rate =
      value === undefined ? context.attributes.float('ratio', 0.5) : readNumber(value, 0);
    return context.field(context.call('nn.dropout', [context.input(0)], { rate }), 0);
  },
};
