import { unary } from '../families/elementwise.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `Atan`. */
export const atan: OnnxOperator = unary({ opType: 'Atan', versions: [7, 22], op: 'atan' });
