import { tensorType } from '@baton/ir';
import { defineOp } from '../../define-op.ts';
import { boolean, f32, i32 } from '../../example-types.ts';
import { SELECT, select } from '../../kernels/elementwise.ts';
import { broadcastShape } from '../../relation/basic.ts';
import { sameDType, tensorTypeArg } from '../../relation/known.ts';

export const where = defineOp({
  name: 'where',
  doc: 'The element of `x` if the condition is not 0, otherwise the element of `y`.',
  source: 'operators §2; NumPy where',
  inputs: ['condition', 'x', 'y'],
  relation: (args, _attrs, context) => {
    const condition = tensorTypeArg(args, 0, context);
    const x = tensorTypeArg(args, 1, context);
    const y = tensorTypeArg(args, 2, context);
    if (condition === undefined || x === undefined || y === undefined) return undefined;
    const dtype = sameDType(x.dtype, y.dtype, '`y`', context);
    if (dtype === undefined) return undefined;
    const both = broadcastShape(x.shape, y.shape, context);
    if (both === undefined) return undefined;
    const shape = broadcastShape(condition.shape, both, context);
    return shape === undefined ? undefined : tensorType(shape, dtype);
  },
  kernel: (args, _attrs, out) => select(args.tensor(0), args.tensor(1), args.tensor(2), out),
  form: { _tag: 'Map', expr: SELECT },
  onnx: { opType: 'Where', versions: [9, 16] },
  examples: [
    { args: [boolean(3, 1), f32(1, 4), f32()], result: f32(3, 4) },
    { args: [i32(3), i32(3), i32(3)], result: i32(3) },
  ],
});
