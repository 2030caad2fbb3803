/** `QLinearMul`: the product of quantized tensors, element by element. */
import { throughFloats } from '../../families/through-floats.ts';
import type { OnnxImporter } from '../../operator-api/importer.ts';

export const qLinearMul: OnnxImporter = throughFloats({
  opType: 'QLinearMul',
  data: [0, 3],
  result: 6,
  of: ({ call, input }) => call('multiply', [input(0), input(1)]),
});
