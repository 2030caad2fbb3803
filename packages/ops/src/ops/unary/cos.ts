import { within } from '../../bounds/rules.ts';
import { unaryFloat } from '../../families/unary.ts';
import { cos as kernel } from '../../kernels/unary.ts';

/** `cos`. */
export const cos = unaryFloat({
  name: 'cos',
  doc: 'The cosine.',
  kernel,
  flops: 1,
  numerics: 'smooth',
  domain: [[-64, 64]],
  bounds: within(-1, 1),
  onnx: { opType: 'Cos', versions: [7, 22] },
});
