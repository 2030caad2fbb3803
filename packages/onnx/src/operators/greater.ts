import { binary } from '../families/elementwise.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `Greater`. */
export const greater: OnnxOperator = binary({
  opType: 'Greater',
  versions: [7, 9, 13],
  op: 'greater',
});
