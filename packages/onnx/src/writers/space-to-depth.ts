/** `nn.space_to_depth`: the channels are the second axis, and the block is read first. */
import { formula } from '../forms/formula.ts';
import { viaPlainLayout } from '../forms/layout.ts';
import { int } from '../operator-api/attribute-values.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const spaceToDepth: OnnxExporter = formula('nn.space_to_depth', (context, x) => {
  const { attrs } = context;
  const moved = viaPlainLayout(context, 'nn.space_to_depth', 2);
  if (moved !== undefined) return moved;
  if (attrs.text('mode') !== 'DCR') return context.fail('SpaceToDepth puts the block first');
  return context.node('SpaceToDepth', [x], { blocksize: int(attrs.int('block_size')) });
});
