/** `bitwise_not`; of bools, the negation. */
import { formula } from '../forms/formula.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const bitwiseNot: OnnxWriter = formula('bitwise_not', (context, x) => {
  const dtype = context.dtype(x);
  if (dtype === 'bool') return context.call('logical_not', [x]);
  if (context.opset >= 18) return context.node('BitwiseNot', [x]);
  // −1 has all bits of a signed number, and of an unsigned one what −1 wraps to.
  return context.call('subtract', [context.scalar(-1, dtype), x]);
});
