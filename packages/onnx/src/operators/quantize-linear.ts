import type { DType } from '@baton/tensor';
import { alongAxis } from '../families/quantization.ts';
import { ROUND_NEEDS, roundedEven } from '../families/rounding.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `QuantizeLinear`: x / scale to the nearest even, plus the zero point, as far as that fits. */
export const quantizeLinear: OnnxOperator = {
  domain: '',
  opType: 'QuantizeLinear',
  versions: [10, 13, 19, 28],
  inputs: [2, 3],
  attributes: { axis: 'int', block_size: 'int', saturate: 'int' },
  needs: [...ROUND_NEEDS, 'divide', 'add', 'clip', 'cast', 'reshape'],
  convert: (context) => {
    const [x, scale, zero] = [context.input(0), context.input(1), context.optional(2)];
    const dims = context.dimsOf(x);
    const axis = context.attributes.int('axis', 1);
    const to = zero === undefined ? 'uint8' : context.dtypeOf(zero);
    const limits = LIMITS.get(to);
    if (limits === undefined) {
      return context.fail('ONNX_UNSUPPORTED', `quantization to ${to} is not imported`);
    }
    const factor = alongAxis(context, scale, dims.length, axis);
    const point = zero === undefined ? undefined : alongAxis(context, zero, dims.length, axis);
    if (factor === undefined || context.hasFailed()) return undefined;
    const dtype = context.dtypeOf(scale);
    const data = context.dtypeOf(x) === dtype ? x : context.call('cast', [x], { dtype });
    const whole = roundedEven(context, context.call('divide', [data, factor]));
    const moved =
      point === undefined
        ? whole
        : context.call('add', [whole, context.call('cast', [point], { dtype })]);
    const [a_min, a_max] = limits;
    const bounded = context.call('clip', [moved], { a_min, a_max });
    return context.call('cast', [bounded], { dtype: to });
  },
};

/** The least and the greatest value of the types that are quantized to. */
const LIMITS: ReadonlyMap<DType, readonly [number, number]> = new Map([
  ['uint8', [0, 255]],
  ['int8', [-128, 127]],
  ['uint16', [0, 65535]],
  ['int16', [-32768, 32767]],
]);
