/** `QGemm`: `Gemm` of quantized matrices, quantized again or as floats. */
import { matrixProduct, withSwappedEnd } from '../../families/matrix-product.ts';
import { centred, eachRow } from '../../families/quantization.ts';
import { quantizedAs } from '../../families/through-floats.ts';
import { MICROSOFT } from '../../operator-api/domains.ts';
import type { OnnxImporter } from '../../operator-api/importer.ts';

export const qGemm: OnnxImporter = {
  domain: MICROSOFT,
  opType: 'QGemm',
  kernelSince: 1,
  convert: (context) => {
    const { attributes, call, input, optional } = context;
    const isTurned = (name: string): boolean => attributes.int(name, 0) !== 0;
    const weight = isTurned('transB') ? eachRow(context, input(5)) : input(5);
    const [a, b] = [centred(context, input(0), input(2)), centred(context, input(3), weight)];
    const left = isTurned('transA') ? withSwappedEnd(context, a) : a;
    const product = matrixProduct(
      context,
      left,
      isTurned('transB') ? withSwappedEnd(context, b) : b,
    );
    if (product === undefined) return undefined;
    const bias = optional(6);
    const sum = bias ? call('add', [product, bias]) : product;
    const alpha = attributes.float('alpha');
    const scale = call('multiply', [call('multiply', [input(1), alpha]), input(4)]);
    const floats = call('multiply', [call('cast_like', [sum, scale]), scale]);
    return optional(7) === undefined ? floats : quantizedAs(context, floats, 7, input(0));
  },
};
