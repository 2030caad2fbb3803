/** `bitwise_not`, which before operator set 18 is a difference. */
import { formula } from '../forms/formula.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const bitwiseNot: OnnxExporter = formula('bitwise_not', (context, x) => {
  const dtype = context.dtype(x);
  if (context.opset >= 18) return context.node('BitwiseNot', [x]);
  // −1 has all bits of a signed number, and of an unsigned one what −1 wraps to.
  return context.call('subtract', [context.scalar(-1, dtype), x]);
});
