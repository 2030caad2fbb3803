/** `nn.conv2d_backward_weight`: a `Conv` in which batches are channels. */
import { formula } from '../forms/formula.ts';
import { inLayout } from '../forms/layout.ts';
import { castTo, resultDType } from '../forms/types.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const conv2dBackwardWeight: OnnxExporter = formula(
  'nn.conv2d_backward_weight',
  (context, grad, data) => {
    const { attrs, call } = context;
    const dtype = resultDType(context);
    const g = inLayout(context, castTo(context, grad, dtype), attrs.text('data_layout'), 'NCHW');
    const x = inLayout(context, castTo(context, data, dtype), attrs.text('kernel_layout'), 'NCHW');
    const [shape, outputs] = [context.shape(x), context.shape(g)?.[1]];
    if (shape === undefined || outputs === undefined) return undefined;
    const [batch = 1, channels = 1, height = 1, width = 1] = shape;
    const groups = attrs.int('groups');
    const perGroup = channels / groups;
    const parted = call('reshape', [x], { newshape: [batch, groups, perGroup, height, width] });
    const turned = call('transpose', [parted], { axes: [2, 1, 0, 3, 4] });
    const images = call('reshape', [turned], {
      newshape: [perGroup, groups * batch, height, width],
    });
    const windows = call('transpose', [g], { axes: [1, 0, 2, 3] });
    const all = call('nn.conv2d', [images, windows], {
      strides: attrs.ints('dilation'),
      dilation: attrs.ints('strides'),
      padding: attrs.ints('padding'),
      groups,
    });
    const weight = call('transpose', [all], { axes: [1, 0, 2, 3] });
    const used = call('strided_slice', [weight], {
      begin: [0, 0],
      end: [...attrs.ints('kernel_size')],
      axes: [2, 3],
    });
    return inLayout(context, used, 'OIHW', attrs.text('out_layout'));
  },
);
