import { unary } from '../families/elementwise.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `BitwiseNot`. */
export const bitwiseNot: OnnxOperator = unary({
  opType: 'BitwiseNot',
  versions: [18],
  op: 'bitwise_not',
});
