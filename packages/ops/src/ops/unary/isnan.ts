import { unaryTest } from '../../families/unary.ts';
import { isNaNs as kernel } from '../../kernels/unary.ts';

/** `isnan`. */
export const isnan = unaryTest({
  name: 'isnan',
  doc: 'Whether each element is NaN.',
  kernel,
  flops: 1,
  onnx: { opType: 'IsNaN', versions: [9, 13, 20] },
});
