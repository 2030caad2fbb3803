/** `Max`: the maximum of tensors that broadcast. */
import { variadic } from '../families/elementwise.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const max: OnnxOperator = variadic({
  opType: 'Max',
  versions: [6, 8, 12, 13],
  op: 'maximum',
});
