/** `nn.max_pool2d_grad`: `MaxPool` says where the maxima are, and the gradients are added there. */
import { tensorType } from '@baton/ir';
import { paddingLists } from '@baton/ops';
import { formula } from '../forms/formula.ts';
import { inLayout } from '../forms/layout.ts';
import { around } from '../forms/padding.ts';
import { holdData, isWide } from '../forms/pooling.ts';
import { ints } from '../operator-api/attribute-values.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const maxPool2dGrad: OnnxExporter = formula('nn.max_pool2d_grad', (context, grad, data) => {
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
  // Padding as wide as the window is a part of the data, which is cut off again.
  const pads = [...before, ...after];
  const isPart = isWide(pads, size);
  const held = isPart ? around(context, x, pads, Number.NEGATIVE_INFINITY) : x;
  const [, places] = context.nodeOf(
    'MaxPool',
    [held],
    {
      kernel_shape: ints(size),
      strides: ints(strides),
      pads: ints(isPart ? pads.map(() => 0) : pads),
      ...(dilations.length === 0 ? {} : { dilations: ints(dilations) }),
    },
    [tensorType(windows, context.dtype(x)), tensorType(windows, 'int64')],
  );
  if (places === undefined) return undefined;
  const flat = (operand: typeof g) => call('reshape', [operand], { newshape: [-1] });
  const zeros = flat(call('zeros_like', [held]));
  const way = { axis: 0, reduction: 'add' };
  // A window of padding has no place.
  const inside = isPart ? holdData(context, x, pads) : undefined;
  const given = inside === undefined ? g : call('where', [inside, g, 0]);
  const summed = call('scatter_elements', [zeros, flat(places), flat(given)], way);
  const newshape = context.shape(held);
  if (newshape === undefined) return undefined;
  const whole = call('reshape', [summed], { newshape: [...newshape] });
  const [height = 1, width = 1] = shape.slice(2);
  const [top = 0, left = 0] = before;
  const part = { begin: [top, left], end: [top + height, left + width], axes: [2, 3] };
  const result = isPart ? call('strided_slice', [whole], part) : whole;
  return inLayout(context, result, 'NCHW', layout);
});
