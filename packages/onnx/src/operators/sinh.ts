import { unary } from '../families/elementwise.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `Sinh`. */
export const sinh: OnnxOperator = unary({ opType: 'Sinh', versions: [9, 22], op: 'sinh' });
