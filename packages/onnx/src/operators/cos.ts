import { unary } from '../families/elementwise.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `Cos`. */
export const cos: OnnxOperator = unary({ opType: 'Cos', versions: [7, 22], op: 'cos' });
