/** `QLinearAdd`: the sum of quantized tensors. */
import { throughFloats } from '../../families/through-floats.ts';
import type { OnnxImporter } from '../../operator-api/importer.ts';

export const qLinearAdd: OnnxImporter = throughFloats({
  opType: 'QLinearAdd',
  data: [0, 3],
  result: 6,
  of: ({ call, input }) => call('add', [input(0), input(1)]),
});
