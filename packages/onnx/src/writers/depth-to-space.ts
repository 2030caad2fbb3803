/** `nn.depth_to_space`: the channels are the second axis. */
import { formula } from '../forms/formula.ts';
import { viaPlainLayout } from '../forms/layout.ts';
import { int, text } from '../operator-api/attribute-values.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const depthToSpace: OnnxExporter = formula('nn.depth_to_space', (context, x) => {
  const { attrs } = context;
  const moved = viaPlainLayout(context, 'nn.depth_to_space', 2);
  if (moved !== undefined) return moved;
  return context.node('DepthToSpace', [x], {
    blocksize: int(attrs.int('block_size')),
    mode: text(attrs.text('mode')),
  });
});
