/** `Min`: the minimum of tensors that broadcast. */
import { variadic } from '../families/elementwise.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const min: OnnxOperator = variadic({
  opType: 'Min',
  versions: [6, 8, 12, 13],
  op: 'minimum',
});
