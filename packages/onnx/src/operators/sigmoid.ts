import { unary } from '../families/elementwise.ts';
import type { OnnxOperator } from '../import/operator.ts';

/** `Sigmoid`. */
export const sigmoid: OnnxOperator = unary({ opType: 'Sigmoid', versions: [6, 13], op: 'sigmoid' });
