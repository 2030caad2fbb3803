import { int } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { sloped } from '../../bounds/rules.ts';
import { elementCount } from '../../cost.ts';
import { defineOp } from '../../define-op.ts';
import { f32 } from '../../example-types.ts';
import { channelData } from '../../relation/channels.ts';
import { rectifier } from '../../scalar/rectifier.ts';

export const prelu = defineOp({
  name: 'nn.prelu',
  doc: 'The element if it is above 0, otherwise its channel’s `alpha` times the element.',
  source: 'operators §2',
  inputs: ['data', 'alpha'],
  attrs: attrs({ axis: withDefault(int, 1) }),
  relation: (args, { axis }, context) => channelData(args, axis, ['alpha'], context)?.data.type,
  form: { _tag: 'Map', expr: rectifier, vectorAlong: ({ axis }) => axis },
  cost: (_args, result) => 2 * elementCount(result),
  // Both branches are 0 where they meet.
  numerics: 'exact',
  bounds: sloped,
  sampled: 'nn.bias_add',
  examples: [
    { args: [f32(2, 3, 5), f32(3)], result: f32(2, 3, 5) },
    { args: [f32(2, 3), f32(3)], attrs: { axis: -1 }, result: f32(2, 3) },
  ],
});
