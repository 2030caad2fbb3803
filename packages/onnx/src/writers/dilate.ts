/** `nn.dilate`: each element becomes a row of its cells, and the last rows are cropped. */
import { formula } from '../forms/formula.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const dilate: OnnxExporter = formula('nn.dilate', (context, x) => {
  const { attrs, call } = context;
  const value = context.scalar(attrs.float('dilation_value'), context.dtype(x));
  const shape = context.shape(x);
  if (shape === undefined) return undefined;
  const dilated = attrs.ints('strides').reduce((data, stride, axis) => {
    const sizes = context.shape(data) ?? [];
    const size = sizes[axis] ?? 0;
    if (stride === 1 || size === 0) return data;
    const cells = call('expand_dims', [data], { axis: axis + 1 });
    const pad_width = [...sizes, 1].map((_, i) => [0, i === axis + 1 ? stride - 1 : 0]);
    const rows = call('nn.pad', [cells, value], { pad_width });
    const newshape = sizes.map((dim, i) => (i === axis ? dim * stride : dim));
    const long = call('reshape', [rows], { newshape, allowzero: 1 });
    const end = [(size - 1) * stride + 1];
    return call('strided_slice', [long], { begin: [0], end, axes: [axis] });
  }, x);
  return dilated === x ? context.node('Identity', [x]) : dilated;
});
