import { rising } from '../../bounds/rules.ts';
import { unaryFloat } from '../../families/unary.ts';
import { acosh as kernel } from '../../kernels/unary.ts';

/** `acosh`. */
export const acosh = unaryFloat({
  name: 'acosh',
  doc: 'The inverse hyperbolic cosine.',
  kernel,
  flops: 1,
  numerics: 'smooth',
  domain: [[1.125, 1024]],
  bounds: rising(Math.acosh),
  onnx: { opType: 'Acosh', versions: [9, 22] },
});
