import { unaryInt } from '../../families/unary.ts';
import { bitwiseNot as kernel } from '../../kernels/unary.ts';

/** `bitwise_not`. */
export const bitwiseNot = unaryInt({
  name: 'bitwise_not',
  doc: 'Every bit inverted.',
  kernel,
  flops: 1,
  onnx: { opType: 'BitwiseNot', versions: [18] },
});
