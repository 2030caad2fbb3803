import { rising } from '../../bounds/rules.ts';
import { unaryFloat } from '../../families/unary.ts';
import { tan as kernel } from '../../kernels/unary.ts';

/** `tan`. */
export const tan = unaryFloat({
  name: 'tan',
  doc: 'The tangent.',
  kernel,
  flops: 1,
  numerics: 'smooth',
  domain: [[-1.25, 1.25]],
  bounds: rising(Math.tan),
  onnx: { opType: 'Tan', versions: [7, 22] },
});
