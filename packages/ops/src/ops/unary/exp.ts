import { rising } from '../../bounds/rules.ts';
import { unaryFloat } from '../../families/unary.ts';
import { exp as kernel } from '../../kernels/unary.ts';

/** `exp`. */
export const exp = unaryFloat({
  name: 'exp',
  doc: 'The exponential function.',
  kernel,
  flops: 1,
  numerics: 'smooth',
  domain: [[-32, 5]],
  bounds: rising(Math.exp),
  onnx: { opType: 'Exp', versions: [6, 13] },
});
