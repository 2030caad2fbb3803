import { anyDim, isStaticDim, tensorType } from '@baton/ir';
import { shapeSize, tensor, toNumbers } from '@baton/tensor';
import { naturalInt } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { badExtent } from '../../diagnostics.ts';
import { f32 } from '../../example-types.ts';
import { reshapeForm } from '../../form/views.ts';
import { sameOnIntegers } from '../../on-integers/rules.ts';
import { areFewDims, hasRank, inDomain, report, tensorArg } from '../../relation/known.ts';
import { reshapeDims } from '../../relation/reshape.ts';

export const dynReshape = defineOp({
  name: 'dyn.reshape',
  doc: 'The same elements in the shape in a vector, which may hold the codes of `reshape`.',
  source: 'operators §4; Relay v0.14 dyn.reshape',
  inputs: ['data', 'newshape'],
  attrs: attrs({ allowzero: withDefault(naturalInt, 0) }),
  relation: (args, { allowzero }, context) => {
    const data = tensorArg(args, 0, context);
    const wanted = tensorArg(args, 1, context);
    if (data === undefined || wanted === undefined) return undefined;
    if (!inDomain(wanted.dtype, 'int', context)) return undefined;
    if (!hasRank(wanted, '`newshape`', [1], context)) return undefined;
    const value = context.constant(1);
    if (value !== undefined) {
      if (!areFewDims(shapeSize(value.shape), context)) return undefined;
      const codes = Array.from(toNumbers(value));
      const shape = reshapeDims(data.shape, codes, allowzero !== 0, context);
      return shape === undefined ? undefined : tensorType(shape, data.dtype);
    }
    const [rank] = wanted.shape;
    if (rank === undefined || !isStaticDim(rank)) {
      return report(context, badExtent('a shape', 'its number of dimensions must be known'));
    }
    return areFewDims(rank, context)
      ? tensorType(new Array(rank).fill(anyDim), data.dtype)
      : undefined;
  },
  form: reshapeForm(),
  kind: 'other',
  fusion: 'opaque',
  onIntegers: sameOnIntegers,
  gradient: ({ args: [x], g, reshapeLike }) => [reshapeLike(g, x)],
  staticForm: { name: 'reshape', operands: { newshape: 'ints' } },
  examples: [
    { args: [f32(2, 3, 4), tensor([4, 0, 2], [3], 'int64')], result: f32(4, 3, 2) },
    { args: [f32(2, 3), tensor([-1], [1], 'int64')], result: f32(6) },
  ],
});
