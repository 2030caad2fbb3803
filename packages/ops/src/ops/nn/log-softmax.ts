import { int } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { timesInput } from '../../cost.ts';
import { defineOp } from '../../define-op.ts';
import { f32 } from '../../example-types.ts';
import { logSoftmax as kernel } from '../../kernels/softmax.ts';
import { floatAlongAxis } from '../../relation/basic.ts';

/** `nn.log_softmax`. */
export const logSoftmax = defineOp({
  name: 'nn.log_softmax',
  doc: 'The logarithm of the softmax along `axis`.',
  source: 'operators.md §7; Relay v0.14 nn.log_softmax',
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
