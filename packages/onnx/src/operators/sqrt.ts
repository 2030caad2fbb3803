import { unary } from '../families/elementwise.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `Sqrt`. */
export const sqrt: OnnxOperator = unary({ opType: 'Sqrt', versions: [6, 13], op: 'sqrt' });
