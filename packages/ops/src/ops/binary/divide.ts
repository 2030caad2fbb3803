/** The operator `divide`. */
import { quotient } from '../../bounds/rules.ts';
import { broadcastBinary } from '../../families/binary.ts';
import { math, x, y } from '../../scalar/expr.ts';

export const divide = broadcastBinary({
  name: 'divide',
  doc: 'The quotient; of integers truncated toward 0, and 0 for a divisor of 0.',
  scalar: math.div(x, y),
  flops: 1,
  numerics: 'smooth',
  precision: 'follow',
  bounds: quotient,
  onnx: { opType: 'Div', versions: [1, 6, 7, 13, 14], broadcastsSince: 7 },
});
