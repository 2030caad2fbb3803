import { unary } from '../families/elementwise.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `Acosh`. */
export const acosh: OnnxOperator = unary({ opType: 'Acosh', versions: [9, 22], op: 'acosh' });
