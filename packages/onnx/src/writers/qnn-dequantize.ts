/** `qnn.dequantize`. */

import { formula } from '../forms/formula.ts';
import { isQuantized, quantizationNode } from '../forms/quantized.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const qnnDequantize: OnnxExporter = formula('qnn.dequantize', (context, x, scale, zero) => {
  const dtype = context.dtype(x);
  return isQuantized(context, dtype, scale)
    ? quantizationNode(context, 'DequantizeLinear', [x, scale, zero], dtype)
    : context.definition();
});
