/** `nn.space_to_depth`: the channels are the second axis, and the block is read first. */
import { formula } from '../forms/formula.ts';
import { inLayout } from '../forms/layout.ts';
import { int } from '../node/attribute-values.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const spaceToDepth: OnnxWriter = formula('nn.space_to_depth', (context, x) => {
  const { attrs } = context;
  const layout = attrs.text('layout');
  if (layout !== 'NCHW') {
    const moved = inLayout(context, x, layout, 'NCHW');
    const result = context.call('nn.space_to_depth', [moved], { ...attrs.all, layout: 'NCHW' });
    return inLayout(context, result, 'NCHW', layout);
  }
  if (attrs.text('mode') !== 'DCR') return context.fail('SpaceToDepth puts the block first');
  return context.node('SpaceToDepth', [x], { blocksize: int(attrs.int('block_size')) });
});
