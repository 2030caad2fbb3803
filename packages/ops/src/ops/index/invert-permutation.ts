import { allocate, fromNumbers, toNumbers } from '@baton/tensor';
import { defineOp } from '../../define-op.ts';
import { i32, i32s } from '../../example-types.ts';
import { hasRank, inDomain, ofTensor } from '../../relation/known.ts';

export const invertPermutation = defineOp({
  name: 'invert_permutation',
  doc: 'The inverse permutation.',
  source: 'operators §4; TensorFlow InvertPermutation',
  relation: ofTensor((data, _attrs, context) => {
    if (!hasRank(data, '`data`', [1], context)) return undefined;
    return inDomain(data.dtype, 'int', context) ? context.resolve(data.type) : undefined;
  }),
  kernel: (args, _attrs, out) => {
    const data = args.tensor(0);
    const inverse = allocate('float64', data.shape[0] as number, out);
    toNumbers(data, out).forEach((to, from) => {
      inverse[to] = from;
    });
    return fromNumbers(inverse, data.shape, data.dtype, out);
  },
  kind: 'movement',
  examples: [{ args: [i32s(2, 0, 1)], result: i32(3) }],
});
