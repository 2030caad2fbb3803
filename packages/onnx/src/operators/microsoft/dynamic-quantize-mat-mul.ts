/** `DynamicQuantizeMatMul`: data quantized as they come, times quantized integers, as floats. */
import { matrixProduct } from '../../families/matrix-product.ts';
import { centred, dynamicallyQuantized } from '../../families/quantization.ts';
import { MICROSOFT } from '../../operator-api/domains.ts';
import type { OnnxImporter } from '../../operator-api/importer.ts';

export const dynamicQuantizeMatMul: OnnxImporter = {
  domain: MICROSOFT,
  opType: 'DynamicQuantizeMatMul',
  kernelSince: 1,
  convert: (context) => {
    const { call, input, optional } = context;
    const found = dynamicallyQuantized(context, input(0));
    if (found === undefined) return undefined;
    const left = centred(context, found.bytes, found.point);
    const sum = matrixProduct(context, left, centred(context, input(1), optional(3)));
    if (sum === undefined) return undefined;
    const scale = call('multiply', [found.scale, input(2)]);
    const scaled = call('multiply', [call('cast_like', [sum, scale]), scale]);
    const bias = optional(4);
    return bias ? call('add', [scaled, bias]) : scaled;
  },
};
