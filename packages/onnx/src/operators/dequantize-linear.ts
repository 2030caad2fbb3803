import { alongAxis } from '../families/quantization.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `DequantizeLinear`: (x − zero point) · scale, as floats. */
export const dequantizeLinear: OnnxOperator = {
  domain: '',
  opType: 'DequantizeLinear',
  versions: [10, 13, 19, 21, 28],
  inputs: [2, 3],
  attributes: { axis: 'int', block_size: 'int' },
  needs: ['cast', 'subtract', 'multiply', 'reshape'],
  convert: (context) => {
    const [x, scale, zero] = [context.input(0), context.input(1), context.optional(2)];
    const rank = context.dimsOf(x).length;
    const axis = context.attributes.int('axis', 1);
    const dtype = context.dtypeOf(scale);
    const factor = alongAxis(context, scale, rank, axis);
    const point = zero === undefined ? undefined : alongAxis(context, zero, rank, axis);
    if (factor === undefined || context.hasFailed()) return undefined;
    const data = context.call('cast', [x], { dtype });
    const centred =
      point === undefined
        ? data
        : context.call('subtract', [data, context.call('cast', [point], { dtype })]);
    return context.call('multiply', [centred, factor]);
  },
};
