import { binary } from '../families/elementwise.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `BitwiseOr`. */
export const bitwiseOr: OnnxOperator = binary({
  opType: 'BitwiseOr',
  versions: [18],
  op: 'bitwise_or',
});
