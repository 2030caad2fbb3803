import { within } from '../../bounds/rules.ts';
import { unaryFloat } from '../../families/unary.ts';
import { sigmoid as kernel } from '../../kernels/unary.ts';

/** `sigmoid`. */
export const sigmoid = unaryFloat({
  name: 'sigmoid',
  doc: 'The logistic function: 1 / (1 + exp(-x)).',
  kernel,
  flops: 3,
  numerics: 'smooth',
  domain: 'any',
  bounds: within(0, 1),
  onnx: { opType: 'Sigmoid', versions: [6, 13] },
});
