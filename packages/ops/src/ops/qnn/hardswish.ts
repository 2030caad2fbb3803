import { quantizedUnary } from '../../families/quantized-unary.ts';
import { math, x, y } from '../../scalar/expr.ts';

export const qnnHardswish = quantizedUnary({
  name: 'qnn.hardswish',
  doc: '`x * clip(x + 3, 0, 6) / 6` of quantized integers, requantized.',
  steps: [math.add(x, 3), math.min(math.max(x, 0), 6), math.mul(x, y), math.div(x, 6)],
  of: '%0 * clip(%0 + cast(3f, dtype=?real), a_min=0.0, a_max=6.0) / cast(6f, dtype=?real)',
});
