import { binary } from '../families/elementwise.ts';
import type { OnnxOperator } from '../import/operator.ts';

/** `BitwiseAnd`. */
export const bitwiseAnd: OnnxOperator = binary({
  opType: 'BitwiseAnd',
  versions: [18],
  op: 'bitwise_and',
});
