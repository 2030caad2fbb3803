/** `QuantizeLinear`: x / scale to the nearest even, plus the zero point, within limits. */
import type { DType } from '@baton/tensor';
import { alongAxis, asType, namedType } from '../families/quantization.ts';
import { roundedEven } from '../families/rounding.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const quantizeLinear: OnnxOperator = {
  opType: 'QuantizeLinear',
  versions: [10, 13, 19, 21, 23, 24, 25, 28],
  inputs: [2, 3],
  attributes: {
    axis: 'int',
    block_size: 'int',
    output_dtype: 'int',
    precision: 'int',
    saturate: 'int',
  },
  convert: (context) => {
    const [x, scale, zero] = [context.input(0), context.input(1), context.optional(2)];
    const dims = context.dimsOf(x);
    const axis = context.attributes.int('axis', 1);
    const to = namedType(
      context,
      'output_dtype',
      zero === undefined ? 'uint8' : context.dtypeOf(zero),
    );
    const dtype = namedType(context, 'precision', context.dtypeOf(scale));
    if (to === undefined || dtype === undefined) return undefined;
    if (zero !== undefined && to !== context.dtypeOf(zero)) {
      const found = context.dtypeOf(zero);
      return context.fail('ONNX_ATTRIBUTE', `expected a zero point of ${to}, found ${found}`);
    }
    const limits = LIMITS.get(to);
    if (limits === undefined) {
      return context.fail('ONNX_UNSUPPORTED', `quantization to ${to} is not imported`);
    }
    const factor = alongAxis(context, scale, dims.length, axis);
    const point = zero === undefined ? undefined : alongAxis(context, zero, dims.length, axis);
    if (factor === undefined || context.hasFailed()) return undefined;
    const [data, divisor] = [asType(context, x, dtype), asType(context, factor, dtype)];
    const whole = roundedEven(context.call, context.call('divide', [data, divisor]));
    const moved =
      point === undefined ? whole : context.call('add', [whole, asType(context, point, dtype)]);
    const [a_min, a_max] = limits;
    const bounded = context.call('clip', [moved], { a_min, a_max });
    return context.call('cast', [bounded], { dtype: to });
  },
};

/** The least and the greatest value of the quantized types. */
const LIMITS: ReadonlyMap<DType, readonly [number, number]> = new Map([
  ['uint8', [0, 255]],
  ['int8', [-128, 127]],
  ['uint16', [0, 65535]],
  ['int16', [-32768, 32767]],
]);
