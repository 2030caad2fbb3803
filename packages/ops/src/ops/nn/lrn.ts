import { float, int, positiveInt } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { magnitude, ZERO } from '../../bounds/bounds.ts';
import { symmetric } from '../../bounds/rules.ts';
import { defineOp } from '../../define-op.ts';
import { frontAxis } from '../../definition/axes.ts';
import { f32 } from '../../example-types.ts';
import { lrn as kernel } from '../../kernels/normalization.ts';
import { floatAlongAxis } from '../../relation/basic.ts';
import { keepsAxis } from '../../relayout/rules.ts';

export const lrn = defineOp({
  name: 'nn.lrn',
  doc: 'Divides by a power of the sum of squares of the `size` neighbours along `axis`.',
  source: 'operators §7; Krizhevsky et al., "ImageNet Classification" (2012); ONNX LRN-1',
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
  kind: 'normalization',
  bounds: ([x = ZERO]) => symmetric(magnitude(x)),
  definition: ({ args: [x], attrs: given, sizes, times, over, plus, op, number, ...d }) => {
    const axis = frontAxis(d, given.axis);
    const length = sizes(0)[axis] ?? 0;
    // A window may be longer than the axis; elements past it are 0.
    const half = Math.floor((given.size - 1) / 2);
    const [before, after] = [half, given.size - 1 - half].map((reach) =>
      Math.min(reach, Math.max(length - 1, 0)),
    ) as [number, number];
    const width = sizes(0).map((_, i) => (i === axis ? [before, after] : [0, 0]));
    const squares = op('nn.pad', [times(x, x), number(0)], { pad_width: width });
    const neighbours = Array.from({ length: before + 1 + after }, (_, k) =>
      op('strided_slice', [squares], { begin: [k], end: [k + length], axes: [axis] }),
    );
    const total = times(neighbours.reduce(plus), number(given.alpha / given.size));
    return over(x, op('power', [plus(total, number(given.bias)), number(given.beta)]));
  },
  relayout: keepsAxis,
  examples: [{ args: [f32(2, 7, 3)], attrs: { size: 3 }, result: f32(2, 7, 3) }],
});
