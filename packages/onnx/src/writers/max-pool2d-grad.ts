/** `nn.max_pool2d_grad`: `MaxPool` says where the maxima are, and the gradients are added there. */
import { tensorType } from '@baton/ir';
import { paddingLists } from '@baton/ops';
import { formula } from '../forms/formula.ts';
import { inLayout } from '../forms/layout.ts';
import { ints } from '../node/attribute-values.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const maxPool2dGrad: OnnxWriter = formula('nn.max_pool2d_grad', (context, grad, data) => {
  const { attrs, call } = context;
  const layout = attrs.text('layout');
  const g = inLayout(context, grad, attrs.text('out_layout') || layout, 'NCHW');
  const x = inLayout(context, data, layout, 'NCHW');
  const [shape, windows] = [context.shape(x), context.shape(g)];
  if (shape === undefined || windows === undefined) return undefined;
  const [size, strides] = [attrs.ints('pool_size'), attrs.ints('strides')];
  const dilations = attrs.ints('dilation');
  const before = paddingLists(attrs.ints('padding'), 2).slice(0, 2);
  // The padding up to the end of the last window says how their number is rounded.
  const after = before.map((pad, i) => {
    const cells = ((size[i] ?? 1) - 1) * (dilations[i] ?? 1) + 1;
    const reach = ((windows[i + 2] ?? 1) - 1) * (strides[i] ?? 1) + cells;
    return Math.max(reach - (shape[i + 2] ?? 0) - pad, 0);
  });
  const [, places] = context.nodeOf(
    'MaxPool',
    [x],
    {
      kernel_shape: ints(size),
      strides: ints(strides),
      pads: ints([...before, ...after]),
      ...(dilations.length === 0 ? {} : { dilations: ints(dilations) }),
    },
    [tensorType(windows, context.dtype(x)), tensorType(windows, 'int64')],
  );
  if (places === undefined) return undefined;
  const flat = (operand: typeof g) => call('reshape', [operand], { newshape: [-1] });
  const zeros = flat(call('zeros_like', [x]));
  const way = { axis: 0, reduction: 'add' };
  const summed = call('scatter_elements', [zeros, flat(places), flat(g)], way);
  return inLayout(context, call('reshape', [summed], { newshape: [...shape] }), 'NCHW', layout);
});
