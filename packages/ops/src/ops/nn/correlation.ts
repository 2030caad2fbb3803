import { addDims, type Dim, tensorType } from '@baton/ir';
import { bool, list, naturalInt, oneOf, positiveInt } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { magnitude, ZERO } from '../../bounds/bounds.ts';
import { symmetric } from '../../bounds/rules.ts';
import { elementCount } from '../../cost.ts';
import { defineOp } from '../../define-op.ts';
import { badAttr, badExtent } from '../../diagnostics.ts';
import { f32 } from '../../example-types.ts';
import { correlation as kernel } from '../../kernels/correlation.ts';
import { hasRank, hasShape, inDomain, ofTwo, report, sameDType } from '../../relation/known.ts';
import { paddingPairs } from '../../relation/window.ts';

export const correlation = defineOp({
  name: 'nn.correlation',
  doc: 'The correlation of the window around each pixel of an image with shifted windows of another: the mean of products, or of distances, for each shift.',
  source: 'operators §7; Dosovitskiy et al., "FlowNet" (2015); Relay v0.14 nn.correlation',
  inputs: ['data1', 'data2'],
  attrs: attrs({
    kernel_size: withDefault(positiveInt, 1),
    max_displacement: withDefault(naturalInt, 1),
    stride1: withDefault(positiveInt, 1),
    stride2: withDefault(positiveInt, 1),
    padding: withDefault(list(naturalInt, [1, 2, 4]), [0, 0]),
    is_multiply: withDefault(bool, true),
    layout: withDefault(oneOf('NCHW'), 'NCHW'),
  }),
  relation: ofTwo((first, second, given, context) => {
    const { kernel_size: side, max_displacement: reach, stride1: stride, stride2: step } = given;
    if (side % 2 === 0) return report(context, badAttr('kernel_size', 'expected an odd number'));
    if (!hasRank(first, '`data1`', [4], context)) return undefined;
    if (!inDomain(first.dtype, 'float', context)) return undefined;
    if (sameDType(first.dtype, second.dtype, '`data2`', context) === undefined) return undefined;
    if (!hasShape(second, '`data2`', first.shape, context, '`data1`')) return undefined;
    const [batch, channels, ...places] = first.shape as readonly [Dim, Dim, Dim, Dim];
    if (channels === 0) return report(context, badExtent('the channels', 'there are none'));
    const border = reach + (side - 1) / 2;
    const counts: Dim[] = [];
    for (const [i, [before, after]] of paddingPairs(given.padding, 2).entries()) {
      const room = addDims(places[i] as Dim, before + after - 2 * border);
      if (typeof room !== 'number') return undefined;
      if (room < stride) {
        return report(context, badExtent(`spatial axis ${i}`, 'no window of all shifts fits'));
      }
      // A part of the last step is enough.
      counts.push(Math.ceil(room / stride));
    }
    const across = 2 * Math.floor(reach / step) + 1;
    return tensorType([batch, across * across, ...counts], first.dtype);
  }),
  kernel: (args, given, out) => {
    const [vertical, horizontal] = paddingPairs(given.padding, 2);
    return kernel(
      args.tensor(0),
      args.tensor(1),
      out.shape,
      {
        side: given.kernel_size,
        reach: given.max_displacement,
        step: given.stride2,
        stride: given.stride1,
        before: [vertical?.[0] ?? 0, horizontal?.[0] ?? 0],
        multiplies: given.is_multiply,
      },
      out,
    );
  },
  cost: ([first], result, { kernel_size: side }) => {
    if (first?._tag !== 'TensorType' || '_tag' in first.shape) return 0;
    return 2 * elementCount(result) * side * side * Number(first.shape[1]);
  },
  kind: 'product',
  numerics: 'smooth',
  bounds: ([a = ZERO, b = ZERO], { attrs: { is_multiply: multiplies } }) =>
    symmetric(multiplies ? magnitude(a) * magnitude(b) : magnitude(a) + magnitude(b)),
  examples: [
    {
      args: [f32(1, 3, 5, 6), f32(1, 3, 5, 6)],
      attrs: { max_displacement: 2, padding: [2, 2] },
      result: f32(1, 25, 5, 6),
    },
    {
      args: [f32(2, 2, 8, 8), f32(2, 2, 8, 8)],
      attrs: {
        kernel_size: 3,
        max_displacement: 2,
        stride1: 2,
        stride2: 2,
        padding: [1, 2],
        is_multiply: false,
      },
      result: f32(2, 9, 2, 3),
    },
  ],
});
