import { binary } from '../families/elementwise.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `And`. */
export const and: OnnxOperator = binary({ opType: 'And', versions: [7], op: 'logical_and' });
