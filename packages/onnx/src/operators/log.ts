import { unary } from '../families/elementwise.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `Log`. */
export const log: OnnxOperator = unary({ opType: 'Log', versions: [6, 13], op: 'log' });
