import { unary } from '../families/elementwise.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `Neg`. */
export const neg: OnnxOperator = unary({ opType: 'Neg', versions: [6, 13], op: 'negative' });
