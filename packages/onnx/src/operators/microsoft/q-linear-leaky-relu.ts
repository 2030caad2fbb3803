/** `QLinearLeakyRelu`: `LeakyRelu` of a quantized tensor. */
import { throughFloats } from '../../families/through-floats.ts';
import type { OnnxImporter } from '../../operator-api/importer.ts';

export const qLinearLeakyRelu: OnnxImporter = throughFloats({
  opType: 'QLinearLeakyRelu',
  data: [0],
  result: 3,
  of: ({ attributes, call, input }) =>
    call('nn.leaky_relu', [input(0)], { alpha: attributes.float('alpha') }),
});
