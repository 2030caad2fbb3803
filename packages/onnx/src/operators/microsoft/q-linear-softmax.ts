/** `QLinearSoftmax`: the softmax of a quantized tensor. */
import { softmaxOf } from '../../families/softmax.ts';
import { throughFloats } from '../../families/through-floats.ts';
import type { OnnxImporter } from '../../operator-api/importer.ts';

export const qLinearSoftmax: OnnxImporter = throughFloats({
  opType: 'QLinearSoftmax',
  data: [0],
  result: 3,
  of: (context) => softmaxOf(context, 'nn.softmax', context.attributes.int('opset', 13)),
});
