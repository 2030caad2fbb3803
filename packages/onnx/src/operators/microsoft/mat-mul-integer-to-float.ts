/** `MatMulIntegerToFloat`: the product of quantized integers, as floats. */
import { matrixProduct } from '../../families/matrix-product.ts';
import { centred } from '../../families/quantization.ts';
import { MICROSOFT } from '../../operator-api/domains.ts';
import type { OnnxImporter } from '../../operator-api/importer.ts';

export const matMulIntegerToFloat: OnnxImporter = {
  domain: MICROSOFT,
  opType: 'MatMulIntegerToFloat',
  kernelSince: 1,
  convert: (context) => {
    const { call, input, optional } = context;
    const left = centred(context, input(0), optional(4));
    const sum = matrixProduct(context, left, centred(context, input(1), optional(5)));
    if (sum === undefined) return undefined;
    const scale = call('multiply', [input(2), input(3)]);
    const scaled = call('multiply', [call('cast_like', [sum, scale]), scale]);
    const bias = optional(6);
    return bias ? call('add', [scaled, bias]) : scaled;
  },
};
