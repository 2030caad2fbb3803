import { type Dim, multiplyDims, type RelationContext, type Type } from '@baton/ir';
import { oneOf, positiveInt } from '../../attrs/codecs.ts';
import { type AttrsOf, attrs, withDefault } from '../../attrs/schema.ts';
import { magnitude, ZERO } from '../../bounds/bounds.ts';
import { symmetric } from '../../bounds/rules.ts';
import { defineOp } from '../../define-op.ts';
import { dimMismatch } from '../../diagnostics.ts';
import { f32 } from '../../example-types.ts';
import { convolve, convType } from '../../families/conv.ts';
import { convolvingProps, perChannelFlops } from '../../families/convolving.ts';
import { deformed } from '../../kernels/deformation.ts';
import { layoutDims, parseLayout, plainDims } from '../../layout/layout.ts';
import { fromPlain, toPlain } from '../../layout/transform.ts';
import { hasShape, inDomain, report, sameDType, tensorArg } from '../../relation/known.ts';
import { paddingLists } from '../../relation/window.ts';

const props = {
  ...convolvingProps(2, 'OIHW'),
  deformable_groups: withDefault(positiveInt, 1),
  data_layout: withDefault(oneOf('NCHW', 'NHWC'), 'NCHW'),
} as const;

export const deformableConv2d = defineOp({
  name: 'nn.deformable_conv2d',
  doc: 'A convolution with a row and a column offset for each element of each window; the image is interpolated linearly.',
  source:
    'operators §5; Dai et al., "Deformable Convolutional Networks" (2017); Relay v0.14 nn.deformable_conv2d',
  inputs: ['data', 'offset', 'weight'],
  attrs: attrs(props),
  relation: deformedType,
  kernel: (args, given, out) => {
    const { data_layout: layout, kernel_layout: kernelLayout, groups } = given;
    const weight = toPlain(args.tensor(2), kernelLayout, 'OIHW', out);
    const kernel = weight.shape.slice(2);
    const windows = deformed(
      toPlain(args.tensor(0), layout, 'NCHW', out),
      toPlain(args.tensor(1), layout, 'NCHW', out),
      {
        kernel,
        strides: given.strides,
        padding: paddingLists(given.padding, 2),
        dilation: given.dilation,
        groups: given.deformable_groups,
      },
      out,
    );
    const plain = { padding: [0, 0, 0, 0], dilation: [1, 1], groups };
    const options = { ...plain, strides: kernel };
    const dtype = given.out_dtype === '' ? {} : { outDtype: given.out_dtype };
    const found = convolve(windows, weight, { ...options, ...dtype }, out);
    return fromPlain(found, 'NCHW', given.out_layout || layout, out);
  },
  cost: ([, , weight], result, given) =>
    perChannelFlops(result, given.out_layout || given.data_layout, 'NCHW', weight),
  kind: 'product',
  numerics: 'smooth',
  bounds: ([data = ZERO, , weight = ZERO], { products }) =>
    symmetric(magnitude(data) * magnitude(weight) * Math.max(products, 1)),
  layoutAttributes: { names: ['data_layout', 'kernel_layout', 'out_layout'] },
  examples: [
    { args: [f32(1, 4, 5, 5), f32(1, 8, 4, 4), f32(3, 4, 2, 2)], result: f32(1, 3, 4, 4) },
    {
      args: [f32(1, 7, 6, 4), f32(1, 4, 6, 36), f32(3, 3, 2, 6)],
      attrs: {
        strides: [2, 1],
        padding: [1, 1],
        groups: 2,
        deformable_groups: 2,
        data_layout: 'NHWC',
        kernel_layout: 'HWIO',
      },
      result: f32(1, 4, 6, 6),
    },
  ],
});

function deformedType(
  args: ReadonlyArray<Type>,
  given: AttrsOf<typeof props>,
  context: RelationContext,
): Type | undefined {
  const [data, offset, weight] = [0, 1, 2].map((index) => tensorArg(args, index, context));
  if (data === undefined || offset === undefined || weight === undefined) return undefined;
  if (!inDomain(data.dtype, 'float', context)) return undefined;
  if (sameDType(data.dtype, offset.dtype, '`offset`', context) === undefined) return undefined;
  const result = convType([data.type, weight.type], given, 'NCHW', 'OIHW', context);
  if (result?._tag !== 'TensorType' || '_tag' in result.shape) return undefined;
  const layout = parseLayout(given.data_layout) ?? [];
  const outLayout = parseLayout(given.out_layout || given.data_layout) ?? [];
  const [, channels] = plainDims(data.shape, layout, 'NCHW');
  const groups = given.deformable_groups;
  if (typeof channels === 'number' && channels % groups !== 0) {
    const multiple = `a multiple of deformable_groups = ${groups}`;
    return report(context, dimMismatch('the channels', multiple, channels));
  }
  const kernel = plainDims(weight.shape, parseLayout(given.kernel_layout) ?? [], 'OIHW').slice(2);
  const moves = kernel.reduce((count: Dim, dim) => multiplyDims(count, dim), 2 * groups);
  const [batch, , ...places] = plainDims(result.shape, outLayout, 'NCHW');
  const wanted = layoutDims([batch as Dim, moves, ...places], 'NCHW', layout) ?? [];
  return hasShape(offset, '`offset`', wanted, context, 'the windows') ? result : undefined;
}
