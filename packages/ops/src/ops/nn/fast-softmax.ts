import { int } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { timesInput } from '../../cost.ts';
import { defineOp } from '../../define-op.ts';
import { f32 } from '../../example-types.ts';
import { softmax as kernel } from '../../kernels/softmax.ts';
import { floatAlongAxis } from '../../relation/basic.ts';

/** `nn.fast_softmax`. */
export const fastSoftmax = defineOp({
  name: 'nn.fast_softmax',
  doc: 'The softmax along `axis`, with a larger error allowed.',
  source: 'operators.md §1; Relay v0.14 nn.fast_softmax',
  inputs: ['data'],
  attrs: attrs({ axis: withDefault(int, -1) }),
  relation: floatAlongAxis,
  kernel: (args, { axis }) => {
    const data = args.tensor(0);
    return kernel(data, axis < 0 ? axis + data.shape.length : axis);
  },
  cost: timesInput(4),
  fusion: 'out_elemwise_fusable',
  scaleAxis: 'none',
  examples: [
    { args: [f32(2, 3)], result: f32(2, 3) },
    { args: [f32(2, 3, 5)], attrs: { axis: 1 }, result: f32(2, 3, 5) },
  ],
});
