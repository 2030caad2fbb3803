import { unary } from '../families/elementwise.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `Acos`. */
export const acos: OnnxOperator = unary({ opType: 'Acos', versions: [7, 22], op: 'acos' });
