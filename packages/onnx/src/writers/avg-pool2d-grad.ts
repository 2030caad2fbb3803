/** `nn.avg_pool2d_grad`: the product with the matrix of means along each axis. */
import { paddingLists } from '@baton/ops';
import { fromNumbers } from '@baton/tensor';
import { formula } from '../forms/formula.ts';
import { inLayout } from '../forms/layout.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const avgPool2dGrad: OnnxExporter = formula('nn.avg_pool2d_grad', (context, grad, data) => {
  const { attrs, call } = context;
  const layout = attrs.text('layout');
  const g = inLayout(context, grad, attrs.text('out_layout') || layout, 'NCHW');
  const x = inLayout(context, data, layout, 'NCHW');
  const [shape, windows] = [context.shape(x), context.shape(g)];
  if (shape === undefined || windows === undefined) return undefined;
  const pads = paddingLists(attrs.ints('padding'), 2);
  const matrices = attrs.ints('pool_size').map((cells, i) => {
    const [size = 1, count = 1] = [shape[i + 2], windows[i + 2]];
    const [before = 0, after = 0] = [pads[i], pads[i + 2]];
    const [stride, dilation] = [attrs.ints('strides')[i] ?? 1, attrs.ints('dilation')[i] ?? 1];
    const [first, end] = attrs.bool('count_include_pad') ? [-before, size + after] : [0, size];
    context.room(count, size);
    context.room(cells);
    const shares = new Float64Array(count * size);
    for (let w = 0; w < count; w++) {
      const window = Array.from({ length: cells }, (_, k) => w * stride + k * dilation - before);
      const counted = window.filter((at) => at >= first && at < end).length;
      for (const at of window) if (at >= 0 && at < size) shares[w * size + at] = 1 / counted;
    }
    return context.constant(fromNumbers(shares, [count, size], context.dtype(x)));
  });
  const spread = call('einsum', [[g, ...matrices]], { equation: 'NChw,hH,wW->NCHW' });
  return inLayout(context, spread, 'NCHW', layout);
});
