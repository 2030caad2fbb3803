/** `qnn.quantize`: ONNX rounds halves to the even number. */

import { formula } from '../forms/formula.ts';
import { isQuantized, quantizationNode } from '../forms/quantized.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const qnnQuantize: OnnxWriter = formula('qnn.quantize', (context, x, scale, zero) => {
  const isEven = context.attrs.text('rounding') === 'TIESTOEVEN';
  const dtype = context.attrs.text('out_dtype');
  return isEven && isQuantized(context, dtype, scale)
    ? quantizationNode(context, 'QuantizeLinear', [x, scale, zero], dtype)
    : context.definition();
});
