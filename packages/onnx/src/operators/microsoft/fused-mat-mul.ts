/** `FusedMatMul`: a product of matrices, each transposed if asked for, times a number. */
import type { Expr } from '@baton/ir';
import { matrixProduct, withSwappedEnd } from '../../families/matrix-product.ts';
import { MICROSOFT } from '../../operator-api/domains.ts';
import type { OnnxImporter } from '../../operator-api/importer.ts';

export const fusedMatMul: OnnxImporter = {
  domain: MICROSOFT,
  opType: 'FusedMatMul',
  kernelSince: 1,
  convert: (context) => {
    const { attributes } = context;
    if (attributes.int('transBatchA') !== 0 || attributes.int('transBatchB') !== 0) {
      return context.fail('ONNX_UNSUPPORTED', 'transposed batches of matrices are not imported');
    }
    const turned = (index: number, name: string): Expr => {
      const x = context.input(index);
      return attributes.int(name, 0) === 0 ? x : withSwappedEnd(context, x);
    };
    const product = matrixProduct(context, turned(0, 'transA'), turned(1, 'transB'));
    return product && context.call('multiply', [product, attributes.float('alpha')]);
  },
};
