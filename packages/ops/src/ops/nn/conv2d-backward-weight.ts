import type { Dim, RelationContext, Type } from '@baton/ir';
import { text } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { badAttr, dimMismatch } from '../../diagnostics.ts';
import { f32 } from '../../example-types.ts';
import { plainConvolution } from '../../families/conv.ts';
import {
  type ConvolvingAttrs,
  convolvingProps,
  perChannelFlops,
} from '../../families/convolving.ts';
import { weightGradientGradients } from '../../gradient/convolution.ts';
import { type AffineIndex, contract } from '../../kernels/contraction.ts';
import { fromPlain, toPlain } from '../../layout/transform.ts';
import { dimAgrees } from '../../relation/dims.ts';
import { dimsInLayout, layoutAttr, typeInLayout } from '../../relation/in-layout.ts';
import { report, sameDType, tensorArg } from '../../relation/known.ts';
import { paddingLists, windowAxes, windowDims } from '../../relation/window.ts';
import { toldAsIs } from '../../relay-text.ts';

type Indices = ReadonlyArray<AffineIndex>;

export const conv2dBackwardWeight = defineOp({
  name: 'nn.conv2d_backward_weight',
  doc: 'The gradient of the weight of `nn.conv2d`, from the gradient of its result and the data, in three layouts: of the gradient, the data and the weight.',
  source: 'operators §5; Relay v0.14 nn.conv2d_backward_weight',
  inputs: ['grad', 'data'],
  attrs: attrs({
    ...convolvingProps(2, 'NCHW'),
    out_layout: withDefault(text, 'OIHW'),
  }),
  relation: weightType,
  kernel: (args, given, out) => {
    const { strides, dilation, groups, kernel_size: kernel, out_dtype: dtype } = given;
    const g = toPlain(args.tensor(0), given.data_layout, 'NCHW', out);
    const x = toPlain(args.tensor(1), given.kernel_layout, 'NCHW', out);
    const [outputs, channels] = [g.shape[1] as number, x.shape[1] as number];
    const weight = [outputs, channels / groups, ...(kernel ?? [1, 1])];
    const options = { strides, dilation, groups, padding: paddingLists(given.padding, 2) };
    const forward = plainConvolution(options, [x.shape, weight], g.shape);
    const [image, filter] = forward.operands as readonly [Indices, Indices];
    // The result and the weight of the convolution are swapped.
    const spec = { ...forward, operands: [forward.result, image], result: filter };
    const found = contract(spec, [g, x], dtype || g.dtype, out);
    return fromPlain(found, 'OIHW', given.out_layout, out);
  },
  // Each element of the gradient is multiplied by the weights of its channel.
  cost: ([g], result, given) => perChannelFlops(g, given.data_layout, 'NCHW', result),
  kind: 'product',
  gradient: weightGradientGradients,
  layoutAttributes: { names: ['data_layout', 'kernel_layout', 'out_layout'] },
  relayText: { told: toldAsIs('kernel_layout', 'out_layout') },
  examples: [
    {
      args: [f32(2, 6, 5, 4), f32(2, 4, 7, 6)],
      attrs: { kernel_size: [3, 3], groups: 2 },
      result: f32(6, 2, 3, 3),
    },
    {
      args: [f32(1, 3, 2, 2), f32(1, 5, 7, 3)],
      attrs: {
        kernel_size: [2, 3],
        strides: [2, 2],
        padding: [1, 0],
        dilation: [1, 2],
        data_layout: 'NHWC',
        kernel_layout: 'NHWC',
        out_layout: 'HWIO',
      },
      result: f32(2, 3, 3, 2),
    },
  ],
});

function weightType(
  args: ReadonlyArray<Type>,
  given: ConvolvingAttrs,
  context: RelationContext,
): Type | undefined {
  const { data_layout: ofGrad, kernel_layout: ofData, out_layout: ofWeight, groups } = given;
  const { kernel_size: kernel } = given;
  if (kernel === null) return report(context, badAttr('kernel_size', 'the weight has its size'));
  const gradLayout = layoutAttr('data_layout', ofGrad, 'NCHW', context);
  const dataLayout = layoutAttr('kernel_layout', ofData, 'NCHW', context);
  const weightLayout = layoutAttr('out_layout', ofWeight, 'OIHW', context);
  const [grad, data] = [tensorArg(args, 0, context), tensorArg(args, 1, context)];
  if (!gradLayout || !dataLayout || !weightLayout || !grad || !data) return undefined;
  if (sameDType(data.dtype, grad.dtype, '`grad`', context) === undefined) return undefined;
  const g = dimsInLayout(grad, '`grad`', gradLayout, ofGrad, 'NCHW', context);
  const x = dimsInLayout(data, '`data`', dataLayout, ofData, 'NCHW', context);
  if (g === undefined || x === undefined) return undefined;
  const [outputs, inputs] = [g[1] as Dim, x[1] as Dim];
  for (const [what, channels] of [
    ['`grad`', outputs],
    ['`data`', inputs],
  ] as const) {
    if (groups === 1 || (typeof channels === 'number' && channels % groups === 0)) continue;
    const multiple = `a multiple of groups = ${groups}`;
    return report(context, dimMismatch(`the channels of ${what}`, multiple, channels));
  }
  const windows = windowAxes({ ...given, kernel });
  const places = windowDims(x.slice(2), windows, 'floor', context);
  if (places === undefined) return undefined;
  for (const [i, place] of [x[0] as Dim, outputs, ...places].entries()) {
    if (dimAgrees(g[i] as Dim, place)) continue;
    return report(context, dimMismatch(`${'NCHW'[i]} of \`grad\``, place, g[i] as Dim));
  }
  const perGroup = groups === 1 ? inputs : Number(inputs) / groups;
  const dtype = given.out_dtype || data.dtype;
  return typeInLayout([outputs, perGroup, ...kernel], 'OIHW', weightLayout, dtype, context);
}
