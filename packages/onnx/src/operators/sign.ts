import { unary } from '../families/elementwise.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `Sign`. */
export const sign: OnnxOperator = unary({ opType: 'Sign', versions: [9, 13], op: 'sign' });
