import { type Dim, tensorType } from '@baton/ir';
import { cast } from '@baton/tensor';
import { dtypeOrEmpty, list, naturalInt, oneOf, positiveInt } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { sumOfTwo } from '../../bounds/rules.ts';
import { elementCount } from '../../cost.ts';
import { defineOp } from '../../define-op.ts';
import { dilationDefinition } from '../../definition/windows.ts';
import { badAttr } from '../../diagnostics.ts';
import { f32 } from '../../example-types.ts';
import { dilation as kernel } from '../../kernels/dilation.ts';
import { layoutDims, parseLayout, plainDims } from '../../layout/layout.ts';
import { fromPlain, toPlain } from '../../layout/transform.ts';
import { hasRank, hasShape, inDomain, ofTwo, report, sameDType } from '../../relation/known.ts';
import { paddingLists, windowAxes, windowDims } from '../../relation/window.ts';

export const dilation2d = defineOp({
  name: 'image.dilation2d',
  doc: 'The largest sum of an element of each window and the weight at its position; padding counts as 0.',
  source: 'operators §6; Relay v0.14 image.dilation2d',
  inputs: ['data', 'weight'],
  attrs: attrs({
    strides: withDefault(list(positiveInt, [2]), [1, 1]),
    padding: withDefault(list(naturalInt, [1, 2, 4]), [0, 0]),
    dilations: withDefault(list(positiveInt, [2]), [1, 1]),
    data_layout: withDefault(oneOf('NCHW', 'NHWC'), 'NCHW'),
    kernel_layout: withDefault(oneOf('IHW', 'HWI'), 'IHW'),
    out_dtype: withDefault(dtypeOrEmpty, ''),
  }),
  relation: ofTwo((data, weight, given, context) => {
    const { data_layout: layout, kernel_layout: kernelLayout } = given;
    if ((layout === 'NCHW') !== (kernelLayout === 'IHW')) {
      const wanted = layout === 'NCHW' ? 'IHW' : 'HWI';
      return report(context, badAttr('kernel_layout', `${wanted} goes with ${layout}`));
    }
    if (!hasRank(data, '`data`', [4], context) || !hasRank(weight, '`weight`', [3], context)) {
      return undefined;
    }
    if (!inDomain(data.dtype, 'float', context)) return undefined;
    if (sameDType(data.dtype, weight.dtype, '`weight`', context) === undefined) return undefined;
    const [batch, channels, ...spatial] = plainDims(data.shape, parsed(layout), 'NCHW');
    const [, ...size] = plainDims(weight.shape, parsed(kernelLayout), 'IHW');
    const fits = layoutDims([channels as Dim, ...size], 'IHW', parsed(kernelLayout)) ?? [];
    if (!hasShape(weight, '`weight`', fits, context, 'the channels of `data`')) return undefined;
    const window = size.filter((dim) => typeof dim === 'number');
    if (window.length < size.length) return undefined;
    const windows = windowAxes({ ...given, dilation: given.dilations, kernel: window });
    const places = windowDims(spatial, windows, 'floor', context);
    const shape =
      places && layoutDims([batch as Dim, channels as Dim, ...places], 'NCHW', parsed(layout));
    return shape && tensorType(shape, given.out_dtype || data.dtype);
  }),
  kernel: (args, given, out) => {
    const dtype = given.out_dtype || args.tensor(0).dtype;
    const data = toPlain(cast(args.tensor(0), dtype, out), given.data_layout, 'NCHW', out);
    const weight = toPlain(cast(args.tensor(1), dtype, out), given.kernel_layout, 'IHW', out);
    const options = {
      poolSize: weight.shape.slice(1),
      strides: given.strides,
      padding: paddingLists(given.padding, 2),
      dilation: given.dilations,
      ceilMode: false,
    };
    return fromPlain(kernel(data, weight, options, out), 'NCHW', given.data_layout, out);
  },
  cost: ([, weight], result, { data_layout: layout }) => {
    if (weight === undefined || result._tag !== 'TensorType' || '_tag' in result.shape) return 0;
    const channels = Number(result.shape[layout.indexOf('C')] ?? 1);
    return (2 * elementCount(result) * elementCount(weight)) / Math.max(channels, 1);
  },
  kind: 'reduction',
  numerics: 'exact',
  bounds: sumOfTwo,
  definition: dilationDefinition,
  examples: [
    {
      args: [f32(1, 3, 7, 6), f32(3, 3, 2)],
      attrs: { strides: [1, 2], padding: [1, 0], dilations: [2, 1] },
      result: f32(1, 3, 5, 3),
    },
    {
      args: [f32(2, 5, 4, 3), f32(2, 2, 3)],
      attrs: { data_layout: 'NHWC', kernel_layout: 'HWI' },
      result: f32(2, 4, 3, 3),
    },
  ],
});

/** The schema admits only layouts. */
const parsed = (layout: string) => parseLayout(layout) ?? [];
