import { unary } from '../families/elementwise.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `Atanh`. */
export const atanh: OnnxOperator = unary({ opType: 'Atanh', versions: [9, 22], op: 'atanh' });
