import { between, ZERO } from '../../bounds/bounds.ts';
import { unaryFloat } from '../../families/unary.ts';
import { acos as kernel } from '../../kernels/unary.ts';

/** `acos`. */
export const acos = unaryFloat({
  name: 'acos',
  doc: 'The inverse cosine.',
  kernel,
  flops: 1,
  numerics: 'smooth',
  domain: [[-0.875, 0.875]],
  bounds: ([x = ZERO]) => between(Math.acos(x.hi), Math.acos(x.lo)),
  onnx: { opType: 'Acos', versions: [7, 22] },
});
