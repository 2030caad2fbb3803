/** `dyn.nn.pad`: a row (before, after) for each axis becomes the widths before all axes, then after all. */
import { formula } from '../forms/formula.ts';
import { castTo } from '../forms/types.ts';
import { text } from '../operator-api/attribute-values.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const dynPad: OnnxExporter = formula('dyn.nn.pad', (context, x, widths, value) => {
  const mode = context.attrs.text('pad_mode');
  const rows = context.call('transpose', [widths], { axes: [1, 0] });
  const pads = castTo(context, context.call('reshape', [rows], { newshape: [-1] }), 'int64');
  return context.node('Pad', mode === 'constant' ? [x, pads, value] : [x, pads], {
    mode: text(mode),
  });
});
