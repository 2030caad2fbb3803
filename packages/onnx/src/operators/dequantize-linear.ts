/** `DequantizeLinear`: (x − zero point) · scale, as floats. */
import { alongAxis, asType, namedType, qnnParameters } from '../families/quantization.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const dequantizeLinear: OnnxImporter = {
  opType: 'DequantizeLinear',
  convert: (context) => {
    const [x, scale, zero] = [context.input(0), context.input(1), context.optional(2)];
    const rank = context.dimsOf(x).length;
    const dtype = context.dtypeOf(scale);
    const to = namedType(context, 'output_dtype', dtype);
    if (to === undefined) return undefined;
    const known = qnnParameters(context, rank, context.dtypeOf(x));
    if (known !== undefined) {
      const { axis } = known;
      const real = context.call('qnn.dequantize', [x, known.scale, known.zero], { axis });
      return asType(context, real, to);
    }
    const axis = context.attributes.int('axis', 1);
    const factor = alongAxis(context, scale, rank, axis);
    const point = zero === undefined ? undefined : alongAxis(context, zero, rank, axis);
    if (factor === undefined || context.hasFailed()) return undefined;
    const data = context.call('cast', [x], { dtype });
    const centred =
      point === undefined ? data : context.call('subtract', [data, asType(context, point, dtype)]);
    return asType(context, context.call('multiply', [centred, factor]), to);
  },
};
