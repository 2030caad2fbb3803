import { unary } from '../families/elementwise.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `Cosh`. */
export const cosh: OnnxOperator = unary({ opType: 'Cosh', versions: [9, 22], op: 'cosh' });
