/** The operator `nn.lrn`. */
import { float, int, positiveInt } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { magnitude, ZERO } from '../../bounds/bounds.ts';
import { symmetric } from '../../bounds/rules.ts';
import { timesInput } from '../../cost.ts';
import { defineOp } from '../../define-op.ts';
import { f32 } from '../../example-types.ts';
import { lrn as kernel } from '../../kernels/normalization.ts';
import { floatAlongAxis } from '../../relation/basic.ts';

export const lrn = defineOp({
  name: 'nn.lrn',
  doc: 'Divides by a power of the sum of squares of the `size` neighbours along `axis`.',
  source: 'operators §7; Krizhevsky et al., "ImageNet Classification" (2012); ONNX LRN-1',
  inputs: ['data'],
  attrs: attrs({
    size: withDefault(positiveInt, 5),
    axis: withDefault(int, 1),
    bias: withDefault(float, 2),
    alpha: withDefault(float, 1e-4),
    beta: withDefault(float, 0.75),
  }),
  relation: floatAlongAxis,
  kernel: (args, attrs, out) =>
    kernel(args.tensor(0), { ...attrs, axis: args.axis(0, attrs.axis) }, out),
  cost: timesInput(8),
  fusion: 'opaque',
  kind: 'normalization',
  numerics: 'smooth',
  domain: 'any',
  bounds: ([x = ZERO]) => symmetric(magnitude(x)),
  scaleAxis: 'none',
  sampled: 'normalized among channels',
  examples: [{ args: [f32(2, 7, 3)], attrs: { size: 3 }, result: f32(2, 7, 3) }],
});
