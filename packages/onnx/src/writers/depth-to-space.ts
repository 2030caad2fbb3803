/** `nn.depth_to_space`: the channels are the second axis. */
import { formula } from '../forms/formula.ts';
import { viaPlainLayout } from '../forms/layout.ts';
import { int, text } from '../node/attribute-values.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const depthToSpace: OnnxWriter = formula('nn.depth_to_space', (context, x) => {
  const { attrs } = context;
  const moved = viaPlainLayout(context, 'nn.depth_to_space', 2);
  if (moved !== undefined) return moved;
  return context.node('DepthToSpace', [x], {
    blocksize: int(attrs.int('block_size')),
    mode: text(attrs.text('mode')),
  });
});
