import { unary } from '../families/elementwise.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `Asinh`. */
export const asinh: OnnxOperator = unary({ opType: 'Asinh', versions: [9, 22], op: 'asinh' });
