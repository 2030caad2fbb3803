import { binary } from '../families/elementwise.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `Or`. */
export const or: OnnxOperator = binary({ opType: 'Or', versions: [7], op: 'logical_or' });
