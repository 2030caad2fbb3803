import { whole } from '../../bounds/rules.ts';
import { unaryFloat } from '../../families/unary.ts';
import { ceil as kernel } from '../../kernels/unary.ts';

/** `ceil`. */
export const ceil = unaryFloat({
  name: 'ceil',
  doc: 'Rounds toward positive infinity.',
  kernel,
  flops: 1,
  numerics: 'discontinuous',
  domain: 'any',
  bounds: whole,
  onnx: { opType: 'Ceil', versions: [6, 13] },
});
