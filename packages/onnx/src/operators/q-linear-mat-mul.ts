/** `QLinearMatMul`: the product of quantized matrices, quantized again. */
import { matrixProduct } from '../families/matrix-product.ts';
import { centred, eachRow, requantized } from '../families/quantization.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const qLinearMatMul: OnnxImporter = {
  opType: 'QLinearMatMul',
  kernelSince: 10,
  convert: (context) => {
    const { input } = context;
    const left = centred(context, input(0), eachRow(context, input(2)));
    const sum = matrixProduct(context, left, centred(context, input(3), input(5)));
    const scales = [eachRow(context, input(1)), input(4), input(6)] as const;
    return sum && requantized(context, sum, scales, input(7));
  },
};
