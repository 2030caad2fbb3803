/** `MatMul`: NumPy's, with vectors and with batches that broadcast. */
import { matrixProduct } from '../families/matrix-product.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const matMul: OnnxImporter = {
  opType: 'MatMul',
  convert: (context) => matrixProduct(context, context.input(0), context.input(1)),
};
