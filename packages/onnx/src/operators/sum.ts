/** `Sum`: the sum of tensors that broadcast. */
import { variadic } from '../families/elementwise.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const sum: OnnxOperator = variadic({ opType: 'Sum', versions: [6, 8, 13], op: 'add' });
