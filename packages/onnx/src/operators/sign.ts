import { unary } from '../families/elementwise.ts';
import type { OnnxOperator } from '../import/operator.ts';

/** `Sign`. */
export const sign: OnnxOperator = unary({ opType: 'Sign', versions: [9, 13], op: 'sign' });
