import { binary } from '../families/elementwise.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `Add`. */
export const add: OnnxOperator = binary({ opType: 'Add', versions: [7, 13, 14], op: 'add' });
