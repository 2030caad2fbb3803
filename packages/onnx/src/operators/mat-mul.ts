/** `MatMul`: NumPy's, with vectors and with batches that broadcast. */
import { matrixProduct } from '../families/matrix-product.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const matMul: OnnxImporter = {
  opType: 'MatMul',
  versions: [1, 9, 13],
  inputs: [2, 2],
  convert: (context) => matrixProduct(context, context.input(0), context.input(1)),
};
