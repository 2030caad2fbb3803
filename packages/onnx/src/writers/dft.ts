/** `dft`: the two parts side by side, transformed, and taken apart. */
import { tensorType } from '@baton/ir';
import { formula } from '../forms/formula.ts';
import { int } from '../operator-api/attribute-values.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const dft: OnnxExporter = formula('dft', (context, re, im) => {
  if (!context.since(17, 'DFT')) return undefined;
  const shape = context.shape(re);
  if (shape === undefined) return undefined;
  const rows = shape.slice(0, -1).reduce((count, dim) => count * dim, 1);
  const length = shape.at(-1) ?? 1;
  const flat = [rows, length, 2];
  const pair = context.call('stack', [[re, im]], { axis: -1 });
  const x = context.call('reshape', [pair], { newshape: flat });
  const inverse = int(context.attrs.bool('inverse'));
  const type = tensorType(flat, context.dtype(re));
  const turned =
    context.opset < 20
      ? context.node('DFT', [x], { axis: int(1), inverse }, type)
      : context.node('DFT', [x, undefined, context.scalar(1, 'int64')], { inverse }, type);
  const whole = context.call('reshape', [turned], { newshape: [...shape, 2] });
  return [0, 1].map((part) => {
    const cut = { begin: [part], end: [part + 1], axes: [shape.length] };
    const one = context.call('strided_slice', [whole], cut);
    return context.call('squeeze', [one], { axis: [shape.length] });
  });
});
