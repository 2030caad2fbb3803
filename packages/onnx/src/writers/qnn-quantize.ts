/** `qnn.quantize`: ONNX rounds halves to the even number. */

import { formula } from '../forms/formula.ts';
import { isQuantized, quantizationNode } from '../forms/quantized.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const qnnQuantize: OnnxExporter = formula('qnn.quantize', (context, x, scale, zero) => {
  const isEven = context.attrs.text('rounding') === 'TIESTOEVEN';
  const dtype = context.attrs.text('out_dtype');
  return isEven && isQuantized(context, dtype, scale)
    ? quantizationNode(context, 'QuantizeLinear', [x, scale, zero], dtype)
    : context.definition();
});
