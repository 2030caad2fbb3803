/** `image.dilation2d`: the largest of the sums of shifted data and single weights. */
import { paddingLists } from '@baton/ops';
import { formula } from '../forms/formula.ts';
import { inLayout } from '../forms/layout.ts';
import { castTo, resultDims, resultDType } from '../forms/types.ts';
import type { OnnxExporter, Operand } from '../operator-api/exporter.ts';

export const dilation2d: OnnxExporter = formula('image.dilation2d', (context, data, weight) => {
  const { attrs, call } = context;
  const dtype = resultDType(context);
  const layout = attrs.text('data_layout');
  const x = inLayout(context, castTo(context, data, dtype), layout, 'NCHW');
  const axes = attrs.text('kernel_layout') === 'HWI' ? [2, 0, 1] : [0, 1, 2];
  const w = call('transpose', [castTo(context, weight, dtype)], { axes });
  const sizes = context.shape(w);
  if (sizes === undefined) return undefined;
  const [, height = 1, width = 1] = sizes;
  const dims = resultDims(context);
  const counts = [...'HW'].map((letter) => Number(dims[layout.indexOf(letter)]));
  if (counts.some(Number.isNaN)) return context.unknown('expected known sizes of the result');
  const [top = 0, left = 0, bottom = 0, right = 0] = paddingLists(attrs.ints('padding'), 2);
  const widths = [
    [0, 0],
    [0, 0],
    [top, bottom],
    [left, right],
  ];
  const padded = call('nn.pad', [x, 0], { pad_width: widths });
  const [strides, dilations] = [attrs.ints('strides'), attrs.ints('dilations')];
  const sums: Operand[] = [];
  for (let i = 0; i < height; i++) {
    for (let j = 0; j < width; j++) {
      const begin = [i, j].map((at, axis) => at * (dilations[axis] ?? 1));
      const end = begin.map(
        (at, axis) => at + ((counts[axis] ?? 1) - 1) * (strides[axis] ?? 1) + 1,
      );
      const own = { begin: [i, j], end: [i + 1, j + 1], axes: [1, 2] };
      const cells = call('strided_slice', [padded], { begin, end, strides, axes: [2, 3] });
      sums.push(call('add', [cells, call('strided_slice', [w], own)]));
    }
  }
  const [first, ...rest] = sums;
  if (first === undefined) return undefined;
  const peak = rest.reduce((most, sum) => call('maximum', [most, sum]), first);
  return inLayout(context, peak, 'NCHW', layout);
});
