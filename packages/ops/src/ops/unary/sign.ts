import { within } from '../../bounds/rules.ts';
import { unaryNumeric } from '../../families/unary.ts';
import { sign as kernel } from '../../kernels/unary.ts';

/** `sign`. */
export const sign = unaryNumeric({
  name: 'sign',
  doc: 'The sign as -1, 0 or 1; NaN stays.',
  kernel,
  flops: 1,
  numerics: 'discontinuous',
  domain: 'any',
  bounds: within(-1, 1, 0),
  onnx: { opType: 'Sign', versions: [9, 13] },
});
