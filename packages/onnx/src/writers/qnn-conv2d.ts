/** `qnn.conv2d`, in ONNX's layouts. */
import { paddingLists } from '@baton/ops';
import { integerProduct } from '../forms/integer-products.ts';
import { int, ints } from '../node/attribute-values.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const qnnConv2d: OnnxWriter = {
  op: 'qnn.conv2d',
  write: (context) => {
    const { attrs } = context;
    const [given, kernel] = [attrs.text('data_layout'), attrs.text('kernel_layout')];
    const [x, w] = [context.input(0), context.input(1)];
    const sizes = context.shape(w);
    const out = attrs.text('out_layout') || given;
    if (sizes === undefined || [given, kernel, out].join() !== 'NCHW,OIHW,NCHW') return undefined;
    return integerProduct(context, 'ConvInteger', [x, w], {
      kernel_shape: ints(sizes.slice(2)),
      strides: ints(attrs.ints('strides')),
      dilations: ints(attrs.ints('dilation')),
      group: int(attrs.int('groups')),
      pads: ints(paddingLists(attrs.ints('padding'), 2)),
    });
  },
};
