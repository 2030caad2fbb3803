/** `Conv`: cross-correlation over one to three spatial axes, with a bias per channel. */
import { WINDOW_ATTRIBUTES, windows } from '../families/spatial.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const conv: OnnxOperator = {
  opType: 'Conv',
  versions: [1, 11, 22],
  inputs: [2, 3],
  attributes: { ...WINDOW_ATTRIBUTES, group: 'int' },
  convert: (context) => {
    const [x, weight, bias] = [context.input(0), context.input(1), context.optional(2)];
    const dims = context.dimsOf(x);
    const weightShape = context.shapeOf(weight);
    if (weightShape === undefined) return context.unknown('expected a weight of known size');
    if (weightShape.length !== dims.length) {
      const found = weightShape.length;
      return context.fail('ONNX_RANK', `expected a weight of rank ${dims.length}, found ${found}`);
    }
    const w = windows(context, dims, weightShape.slice(2));
    if (w === undefined) return undefined;
    const groups = context.attributes.int('group', 1);
    if (groups < 1) return context.fail('ONNX_ATTRIBUTE', `expected 1 group or more: ${groups}`);
    const result = context.call(`nn.conv${dims.length - 2}d`, [x, weight], {
      strides: w.strides,
      padding: w.pads,
      dilation: w.dilations,
      groups,
      channels: weightShape[0] ?? 0,
      kernel_size: w.kernel,
    });
    return bias === undefined ? result : context.call('nn.bias_add', [result, bias], { axis: 1 });
  },
};
