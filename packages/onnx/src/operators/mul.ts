import { binary } from '../families/elementwise.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `Mul`. */
export const mul: OnnxOperator = binary({ opType: 'Mul', versions: [7, 13, 14], op: 'multiply' });
