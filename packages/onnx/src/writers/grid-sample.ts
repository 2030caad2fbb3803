/** `image.grid_sample`: the coordinates move to the last axis. */
import { formula } from '../forms/formula.ts';
import { int, text } from '../operator-api/attribute-values.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const gridSample: OnnxExporter = formula('image.grid_sample', (context, x, grid) => {
  const { attrs, call } = context;
  const rank = context.dims(x).length;
  if (!context.since(rank > 4 ? 20 : 16, 'GridSample')) return undefined;
  const axes = [0, ...Array.from({ length: rank - 2 }, (_, i) => i + 2), 1];
  const method = attrs.text('method');
  return context.node('GridSample', [x, call('transpose', [grid], { axes })], {
    mode: text(context.opset >= 20 ? (NEW_MODES[method] ?? method) : method),
    padding_mode: text(attrs.text('padding_mode')),
    align_corners: int(attrs.bool('align_corners')),
  });
});

/** The modes that operator set 20 renamed. */
const NEW_MODES: Readonly<Partial<Record<string, string>>> = {
  bilinear: 'linear',
  bicubic: 'cubic',
};
