import { binary } from '../families/elementwise.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `LessOrEqual`. */
export const lessOrEqual: OnnxOperator = binary({
  opType: 'LessOrEqual',
  versions: [12, 16],
  op: 'less_equal',
});
