import { unary } from '../families/elementwise.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `Tan`. */
export const tan: OnnxOperator = unary({ opType: 'Tan', versions: [7, 22], op: 'tan' });
