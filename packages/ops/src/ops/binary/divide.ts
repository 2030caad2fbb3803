import { quotient } from '../../bounds/rules.ts';
import { broadcastBinary } from '../../families/binary.ts';
import { divide as kernel } from '../../kernels/binary.ts';

/** `divide`. */
export const divide = broadcastBinary({
  name: 'divide',
  doc: 'The quotient; of integers truncated toward 0, and 0 for a divisor of 0.',
  kernel,
  flops: 1,
  numerics: 'smooth',
  bounds: quotient,
  neutral: { value: 1, commutes: false },
  sampled: 'division of floats',
  onnx: { opType: 'Div', versions: [7, 13, 14] },
});
