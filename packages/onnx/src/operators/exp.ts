import { unary } from '../families/elementwise.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `Exp`. */
export const exp: OnnxOperator = unary({ opType: 'Exp', versions: [6, 13], op: 'exp' });
