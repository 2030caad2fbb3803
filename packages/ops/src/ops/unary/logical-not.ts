import { unaryBool } from '../../families/unary.ts';
import { logicalNot as kernel } from '../../kernels/unary.ts';

/** `logical_not`. */
export const logicalNot = unaryBool({
  name: 'logical_not',
  doc: 'The negation of a bool.',
  kernel,
  flops: 1,
  onnx: { opType: 'Not', versions: [1] },
});
