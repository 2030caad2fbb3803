/** The operator `nn.bias_add`. */
import { reshapeView } from '@baton/tensor';
import { int } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { sumOfTwo } from '../../bounds/rules.ts';
import { perResultElement } from '../../cost.ts';
import { defineOp } from '../../define-op.ts';
import { f32 } from '../../example-types.ts';
import { add } from '../../kernels/binary.ts';
import { channelData, channelShape } from '../../relation/channels.ts';
import { biasScale } from '../../scale-axis/maps.ts';

export const biasAdd = defineOp({
  name: 'nn.bias_add',
  doc: 'Adds a vector along one axis.',
  source: 'operators §5; Relay v0.14 nn.bias_add',
  inputs: ['data', 'bias'],
  attrs: attrs({ axis: withDefault(int, 1) }),
  relation: (args, { axis }, context) => channelData(args, axis, ['bias'], context)?.data.type,
  kernel: (args, { axis }, out) => {
    const data = args.tensor(0);
    return add(data, reshapeView(args.tensor(1), channelShape(data.shape, axis), out), out);
  },
  cost: perResultElement,
  fusion: 'broadcast',
  kind: 'elementwise',
  numerics: 'exact',
  domain: 'any',
  bounds: sumOfTwo,
  scaleAxis: biasScale,
  sampled: 'a vector along an axis',
  examples: [
    { args: [f32(2, 3, 5), f32(3)], result: f32(2, 3, 5) },
    { args: [f32(2, 3), f32(3)], attrs: { axis: -1 }, result: f32(2, 3) },
  ],
});
