import { addsQuantized } from '../../families/quantized-sum.ts';
import { math, x, y } from '../../scalar/expr.ts';

export const qnnAdd = addsQuantized({
  name: 'qnn.add',
  doc: 'The sum of quantized integers, requantized.',
  scalar: math.add(x, y),
  sign: '+',
});
