/** `ConstantOfShape`: one value everywhere, or weights that the caller supplies. */
import { shapeSize, tensor } from '@baton/tensor';
import type { OnnxOperator } from '../node/operator.ts';

export const constantOfShape: OnnxOperator = {
  opType: 'ConstantOfShape',
  versions: [9, 20, 21, 23, 24, 25],
  inputs: [1, 1],
  attributes: { value: 'tensor' },
  convert: (context) => {
    const shape = context.ints(0);
    const proto = context.attributes.tensor('value');
    const value = proto === undefined ? tensor([0], [], 'float32') : context.tensor(proto);
    if (shape === undefined || value === undefined) return undefined;
    if (shapeSize(value.shape) !== 1) {
      return context.fail('ONNX_ATTRIBUTE', 'expected attribute value of one element');
    }
    const filled = context.filled(context.outputName(0), shape, value);
    return filled === undefined ? undefined : context.constant(filled);
  },
};
