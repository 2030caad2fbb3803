import { rising } from '../../bounds/rules.ts';
import { unaryFloat } from '../../families/unary.ts';
import { atan as kernel } from '../../kernels/unary.ts';

/** `atan`. */
export const atan = unaryFloat({
  name: 'atan',
  doc: 'The inverse tangent.',
  kernel,
  flops: 1,
  numerics: 'smooth',
  domain: 'any',
  bounds: rising(Math.atan),
  onnx: { opType: 'Atan', versions: [7, 22] },
});
