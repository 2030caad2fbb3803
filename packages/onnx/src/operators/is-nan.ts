import { unary } from '../families/elementwise.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `IsNaN`. */
export const isNan: OnnxOperator = unary({ opType: 'IsNaN', versions: [9, 13, 20], op: 'isnan' });
