import { binary } from '../families/elementwise.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `BitwiseAnd`. */
export const bitwiseAnd: OnnxOperator = binary({
  opType: 'BitwiseAnd',
  versions: [18],
  op: 'bitwise_and',
});
