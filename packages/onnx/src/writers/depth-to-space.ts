/** `nn.depth_to_space`: the channels are the second axis. */
import { formula } from '../forms/formula.ts';
import { inLayout } from '../forms/layout.ts';
import { int, text } from '../node/attribute-values.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const depthToSpace: OnnxWriter = formula('nn.depth_to_space', (context, x) => {
  const { attrs } = context;
  const layout = attrs.text('layout');
  if (layout !== 'NCHW') {
    const moved = inLayout(context, x, layout, 'NCHW');
    const result = context.call('nn.depth_to_space', [moved], { ...attrs.all, layout: 'NCHW' });
    return inLayout(context, result, 'NCHW', layout);
  }
  return context.node('DepthToSpace', [x], {
    blocksize: int(attrs.int('block_size')),
    mode: text(attrs.text('mode')),
  });
});
