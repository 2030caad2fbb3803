import { binary } from '../families/elementwise.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `Div`. */
export const div: OnnxOperator = binary({ opType: 'Div', versions: [7, 13, 14], op: 'divide' });
