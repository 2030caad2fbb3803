import { rising } from '../../bounds/rules.ts';
import { unaryFloat } from '../../families/unary.ts';
import { sinh as kernel } from '../../kernels/unary.ts';

/** `sinh`. */
export const sinh = unaryFloat({
  name: 'sinh',
  doc: 'The hyperbolic sine.',
  kernel,
  flops: 1,
  numerics: 'smooth',
  domain: [[-5, 5]],
  bounds: rising(Math.sinh),
  onnx: { opType: 'Sinh', versions: [9, 22] },
});
