import { unary } from '../families/elementwise.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `Tanh`. */
export const tanh: OnnxOperator = unary({ opType: 'Tanh', versions: [6, 13], op: 'tanh' });
