import { unary } from '../families/elementwise.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `Erf`. */
export const erf: OnnxOperator = unary({ opType: 'Erf', versions: [9, 13], op: 'erf' });
