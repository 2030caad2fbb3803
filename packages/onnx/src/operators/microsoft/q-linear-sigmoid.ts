/** `QLinearSigmoid`: the sigmoid of a quantized tensor. */
import { throughFloats } from '../../families/through-floats.ts';
import type { OnnxImporter } from '../../operator-api/importer.ts';

export const qLinearSigmoid: OnnxImporter = throughFloats({
  opType: 'QLinearSigmoid',
  data: [0],
  result: 3,
  of: ({ call, input }) => call('sigmoid', [input(0)]),
});
