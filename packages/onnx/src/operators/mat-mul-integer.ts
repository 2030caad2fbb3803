/** `MatMulInteger`: the product of quantized integers, as 32-bit integers. */
import { matrixProduct } from '../families/matrix-product.ts';
import { centred, eachRow } from '../families/quantization.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const matMulInteger: OnnxImporter = {
  opType: 'MatMulInteger',
  kernelSince: 10,
  convert: (context) => {
    const rows = context.optional(2);
    const left = centred(context, context.input(0), rows && eachRow(context, rows));
    const right = centred(context, context.input(1), context.optional(3));
    return matrixProduct(context, left, right);
  },
};
