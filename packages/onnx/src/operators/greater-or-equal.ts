import { binary } from '../families/elementwise.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `GreaterOrEqual`. */
export const greaterOrEqual: OnnxOperator = binary({
  opType: 'GreaterOrEqual',
  versions: [12, 16],
  op: 'greater_equal',
});
