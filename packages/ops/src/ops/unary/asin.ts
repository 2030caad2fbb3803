import { rising } from '../../bounds/rules.ts';
import { unaryFloat } from '../../families/unary.ts';
import { asin as kernel } from '../../kernels/unary.ts';

/** `asin`. */
export const asin = unaryFloat({
  name: 'asin',
  doc: 'The inverse sine.',
  kernel,
  flops: 1,
  numerics: 'smooth',
  domain: [[-0.875, 0.875]],
  bounds: rising(Math.asin),
  onnx: { opType: 'Asin', versions: [7, 22] },
});
