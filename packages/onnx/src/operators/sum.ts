import { variadic } from '../families/elementwise.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `Sum`. */
export const sum: OnnxOperator = variadic({ opType: 'Sum', versions: [6, 8, 13], op: 'add' });
