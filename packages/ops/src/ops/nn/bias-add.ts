import { int } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { f32 } from '../../example-types.ts';
import { biasOnIntegers } from '../../on-integers/rules.ts';
import { channelData } from '../../relation/channels.ts';
import { math, x, y } from '../../scalar/expr.ts';
import { biasScale } from '../../scale-axis/maps.ts';

export const biasAdd = defineOp({
  name: 'nn.bias_add',
  doc: 'Adds a vector along one axis.',
  source: 'operators §5; Relay v0.14 nn.bias_add',
  inputs: ['data', 'bias'],
  attrs: attrs({ axis: withDefault(int, 1) }),
  relation: (args, { axis }, context) => channelData(args, axis, ['bias'], context)?.data.type,
  form: { _tag: 'Map', expr: math.add(x, y), vectorAlong: ({ axis }) => axis },
  scaleAxis: biasScale,
  onIntegers: biasOnIntegers,
  examples: [
    { args: [f32(2, 3, 5), f32(3)], result: f32(2, 3, 5) },
    { args: [f32(2, 3), f32(3)], attrs: { axis: -1 }, result: f32(2, 3) },
  ],
});
