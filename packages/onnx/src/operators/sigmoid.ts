import { unary } from '../families/elementwise.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `Sigmoid`. */
export const sigmoid: OnnxOperator = unary({ opType: 'Sigmoid', versions: [6, 13], op: 'sigmoid' });
