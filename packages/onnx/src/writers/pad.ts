/** `nn.pad`: widths before all axes, then after all. */
import { formula } from '../forms/formula.ts';
import { text } from '../operator-api/attribute-values.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const pad: OnnxExporter = formula('nn.pad', (context, x, value) => {
  const widths = context.attrs.pairs('pad_width');
  const mode = context.attrs.text('pad_mode');
  const pads = context.ints([
    ...widths.map(([before]) => before),
    ...widths.map(([, after]) => after),
  ]);
  const inputs = mode === 'constant' ? [x, pads, value] : [x, pads];
  return context.node('Pad', inputs, { mode: text(mode) });
});
