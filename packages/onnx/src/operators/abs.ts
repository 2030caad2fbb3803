import { unary } from '../families/elementwise.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `Abs`. */
export const abs: OnnxOperator = unary({ opType: 'Abs', versions: [6, 13], op: 'abs' });
