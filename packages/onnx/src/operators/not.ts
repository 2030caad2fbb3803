import { unary } from '../families/elementwise.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `Not`. */
export const not: OnnxOperator = unary({ opType: 'Not', versions: [1], op: 'logical_not' });
