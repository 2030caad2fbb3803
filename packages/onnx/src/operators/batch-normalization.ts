/** `BatchNormalization` with given statistics: inference, not training. */
import type { OnnxOperator } from '../node/operator.ts';

export const batchNormalization: OnnxOperator = {
  opType: 'BatchNormalization',
  versions: [7, 9, 14, 15],
  inputs: [5, 5],
  attributes: { epsilon: 'float', momentum: 'float', spatial: 'int', training_mode: 'int' },
  convert: (context) => {
    const { attributes } = context;
    if (attributes.int('training_mode', 0) !== 0) {
      return context.fail('ONNX_UNSUPPORTED', 'batch normalization in training is not imported');
    }
    if (attributes.int('spatial', 1) !== 1) {
      return context.fail('ONNX_UNSUPPORTED', 'statistics of each activation are not imported');
    }
    const inputs = [0, 1, 2, 3, 4].map((index) => context.input(index));
    // ONNX's default is 1e-5 as a float32.
    const epsilon = attributes.float('epsilon', Math.fround(1e-5));
    return context.field(context.call('nn.batch_norm', inputs, { axis: 1, epsilon }), 0);
  },
};
