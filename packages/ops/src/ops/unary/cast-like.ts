import { tensorType } from '@baton/ir';
import { cast } from '@baton/tensor';
import { defineOp } from '../../define-op.ts';
import { f32, i32 } from '../../example-types.ts';
import { tensorTypeArg } from '../../relation/known.ts';

export const castLike = defineOp({
  name: 'cast_like',
  relationName: 'CastLike',
  doc: 'The values of `x` in the dtype of `like`.',
  source: 'operators §1; decision D16',
  inputs: ['x', 'like'],
  relation: (args, _attrs, context) => {
    const x = tensorTypeArg(args, 0, context);
    const like = tensorTypeArg(args, 1, context);
    if (x === undefined || like === undefined) return undefined;
    return tensorType(x.shape, like.dtype);
  },
  kernel: (args, _attrs, out) => cast(args.tensor(0), args.tensor(1).dtype, out),
  form: { _tag: 'Convert' },
  gradient: ({ args: [x], g, op }) => [op('cast_like', [g, x])],
  examples: [{ args: [f32(2, 3), i32()], result: i32(2, 3) }],
});
