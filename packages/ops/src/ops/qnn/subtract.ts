import { addsQuantized } from '../../families/quantized-sum.ts';
import { math, x, y } from '../../scalar/expr.ts';

export const qnnSubtract = addsQuantized({
  name: 'qnn.subtract',
  doc: 'The difference of quantized integers, requantized.',
  scalar: math.sub(x, y),
  sign: '-',
});
