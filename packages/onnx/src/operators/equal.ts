import { binary } from '../families/elementwise.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `Equal`. */
export const equal: OnnxOperator = binary({
  opType: 'Equal',
  versions: [7, 11, 13, 19],
  op: 'equal',
});
