import { whole } from '../../bounds/rules.ts';
import { unaryFloat } from '../../families/unary.ts';
import { floor as kernel } from '../../kernels/unary.ts';

/** `floor`. */
export const floor = unaryFloat({
  name: 'floor',
  doc: 'Rounds toward negative infinity.',
  kernel,
  flops: 1,
  numerics: 'discontinuous',
  domain: 'any',
  bounds: whole,
  onnx: { opType: 'Floor', versions: [6, 13] },
});
