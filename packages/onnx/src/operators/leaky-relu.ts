import type { OnnxOperator } from '../node/operator.ts';

/** `LeakyRelu`. */
export const leakyRelu: OnnxOperator = {
  domain: '',
  opType: 'LeakyRelu',
  versions: [6, 16],
  inputs: [1, 1],
  attributes: { alpha: 'float' },
  needs: ['nn.leaky_relu'],
  convert: (context) => {
    // ONNX's default is 0.01 as a float32.
    const alpha = context.attributes.float('alpha', Math.fround(0.01));
    return context.call('nn.leaky_relu', [context.input(0)], { alpha });
  },
};
