import { unaryFloat } from '../../families/unary.ts';
import { sigmoid as kernel } from '../../kernels/unary.ts';

/** `sigmoid`. */
export const sigmoid = unaryFloat({
  name: 'sigmoid',
  doc: 'The logistic function: 1 / (1 + exp(-x)).',
  kernel,
  flops: 3,
});
