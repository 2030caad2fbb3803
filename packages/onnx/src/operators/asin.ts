import { unary } from '../families/elementwise.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `Asin`. */
export const asin: OnnxOperator = unary({ opType: 'Asin', versions: [7, 22], op: 'asin' });
