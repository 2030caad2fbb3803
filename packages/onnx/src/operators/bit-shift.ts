/** `BitShift` of unsigned integers. */
import type { OnnxOperator } from '../node/operator.ts';

export const bitShift: OnnxOperator = {
  opType: 'BitShift',
  versions: [11, 28],
  inputs: [2, 2],
  attributes: { direction: 'string' },
  convert: (context) => {
    const direction = context.attributes.string('direction', '');
    if (direction !== 'LEFT' && direction !== 'RIGHT') {
      return context.fail('ONNX_ATTRIBUTE', 'expected direction LEFT or RIGHT');
    }
    const op = direction === 'LEFT' ? 'left_shift' : 'right_shift';
    return context.call(op, [context.input(0), context.input(1)]);
  },
};
