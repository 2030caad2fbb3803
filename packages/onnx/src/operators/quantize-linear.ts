/** `QuantizeLinear`: x / scale to the nearest even, plus the zero point, within limits. */
import { isFloat } from '@baton/tensor';
import { converted } from '../families/casting.ts';
import {
  alongAxis,
  asType,
  namedType,
  qnnParameters,
  saturated,
} from '../families/quantization.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const quantizeLinear: OnnxImporter = {
  opType: 'QuantizeLinear',
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
    const isNarrow = to !== 'int32' && dtype === context.dtypeOf(scale);
    const known = isNarrow ? qnnParameters(context, dims.length, to) : undefined;
    if (known !== undefined) {
      const args = [asType(context, x, dtype), known.scale, known.zero];
      const attrs = { axis: known.axis, out_dtype: to, rounding: 'TIESTOEVEN' };
      return context.call('qnn.quantize', args, attrs);
    }
    const factor = alongAxis(context, scale, dims.length, axis);
    const point = zero === undefined ? undefined : alongAxis(context, zero, dims.length, axis);
    if (factor === undefined || context.hasFailed()) return undefined;
    const [data, divisor] = [asType(context, x, dtype), asType(context, factor, dtype)];
    const quotient = context.call('divide', [data, divisor]);
    if (!isFloat(to)) return saturated(context, quotient, point, to);
    const moved = point && context.call('add', [quotient, asType(context, point, dtype)]);
    return converted(context, moved ?? quotient, to);
  },
};
