import { tensorType } from '@baton/ir';
import { broadcastView, cast, tensor } from '@baton/tensor';
import { dtype } from '../../attrs/codecs.ts';
import { attrs } from '../../attrs/schema.ts';
import { anyOf } from '../../bounds/rules.ts';
import { defineOp } from '../../define-op.ts';
import { f32 } from '../../example-types.ts';
import { hasRank, takesDType, tensorArg } from '../../relation/known.ts';
import { shapeOperand } from '../../relation/shape-operand.ts';

export const dynFull = defineOp({
  name: 'dyn.full',
  doc: 'A tensor of the shape in a vector, filled with a scalar, which is cast to `dtype`.',
  source: 'operators §4; NumPy full',
  inputs: ['fill_value', 'shape'],
  attrs: attrs({ dtype }),
  relation: (args, { dtype: type }, context) => {
    const fill = tensorArg(args, 0, context);
    const shape = shapeOperand(args, 1, context);
    if (fill === undefined || shape === undefined) return undefined;
    if (!hasRank(fill, '`fill_value`', [0], context)) return undefined;
    if (!takesDType(fill.dtype, type, '`fill_value`', context)) return undefined;
    return tensorType(shape, type);
  },
  kernel: (args, { dtype: type }, out) => broadcastView(cast(args.tensor(0), type, out), out.shape),
  kind: 'other',
  numerics: 'exact',
  bounds: anyOf,
  gradient: ({ args: [x], g, op }) => [op('cast_like', [op('sum', [g]), x])],
  staticForm: { name: 'full', operands: { shape: 'ints' } },
  examples: [
    { args: [f32(), tensor([2, 3], [2], 'int64')], attrs: { dtype: 'float32' }, result: f32(2, 3) },
  ],
});
