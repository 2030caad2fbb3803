/** `nn.mirror_pad`: with the border repeated, elements are taken by their places. */
import { formula } from '../forms/formula.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const mirrorPad: OnnxExporter = formula('nn.mirror_pad', (context, x) => {
  const { attrs, call } = context;
  const widths = attrs.pairs('pad_width');
  if (attrs.text('mode') === 'REFLECT') {
    const zero = context.scalar(0, context.dtype(x));
    return call('nn.pad', [x, zero], { pad_width: widths, pad_mode: 'reflect' });
  }
  const shape = context.shape(x);
  if (shape === undefined) return undefined;
  return widths.reduce((data, [before, after], axis) => {
    const size = shape[axis] ?? 0;
    if (before === 0 && after === 0) return data;
    context.room(before + size + after);
    const places = Array.from({ length: before + size + after }, (_, i) => {
      const inside = i - before;
      return inside < 0 ? -inside - 1 : inside < size ? inside : 2 * size - 1 - inside;
    });
    return call('take', [data, context.ints(places)], { axis });
  }, x);
});
