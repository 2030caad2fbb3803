/** `nn.pad`: widths before all axes, then after all. */
import { formula } from '../forms/formula.ts';
import { text } from '../node/attribute-values.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const pad: OnnxWriter = formula('nn.pad', (context, x, value) => {
  const widths = context.attrs.value('pad_width');
  const pairs = Array.isArray(widths) ? widths : [];
  const side = (at: number) => pairs.map((pair) => (Array.isArray(pair) ? Number(pair[at]) : 0));
  const mode = context.attrs.text('pad_mode');
  const pads = context.ints([...side(0), ...side(1)]);
  const inputs = mode === 'constant' ? [x, pads, value] : [x, pads];
  return context.node('Pad', inputs, { mode: text(mode) });
});
