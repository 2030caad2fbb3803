import { within } from '../../bounds/rules.ts';
import { unaryFloat } from '../../families/unary.ts';
import { erf as kernel } from '../../kernels/unary.ts';

/** `erf`. */
export const erf = unaryFloat({
  name: 'erf',
  doc: 'The Gauss error function.',
  kernel,
  flops: 1,
  numerics: 'smooth',
  domain: 'any',
  bounds: within(-1, 1),
  onnx: { opType: 'Erf', versions: [9, 13] },
});
