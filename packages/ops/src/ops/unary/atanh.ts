import { rising } from '../../bounds/rules.ts';
import { unaryFloat } from '../../families/unary.ts';
import { atanh as kernel } from '../../kernels/unary.ts';

/** `atanh`. */
export const atanh = unaryFloat({
  name: 'atanh',
  doc: 'The inverse hyperbolic tangent.',
  kernel,
  flops: 1,
  numerics: 'smooth',
  domain: [[-0.875, 0.875]],
  bounds: rising(Math.atanh),
  onnx: { opType: 'Atanh', versions: [9, 22] },
});
