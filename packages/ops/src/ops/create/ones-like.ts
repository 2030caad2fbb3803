/** The operator `ones_like`. */
import { full } from '@baton/tensor';
import { noAttributes } from '../../attrs/schema.ts';
import { within } from '../../bounds/rules.ts';
import { noFlops } from '../../cost.ts';
import { defineOp } from '../../define-op.ts';
import { boolean, f32 } from '../../example-types.ts';
import { identityIn } from '../../relation/basic.ts';

export const onesLike = defineOp({
  name: 'ones_like',
  doc: 'A tensor of ones with the type of `data`.',
  source: 'operators §1',
  inputs: ['data'],
  attrs: noAttributes,
  relation: identityIn('any'),
  kernel: (args, _attrs, out) => {
    const data = args.tensor(0);
    return full(data.shape, data.dtype, 1, out);
  },
  cost: noFlops,
  fusion: 'elemwise',
  kind: 'elementwise',
  numerics: 'exact',
  domain: 'any',
  bounds: within(1, 1, 0),
  scaleAxis: 'none',
  concrete: {
    op: 'ones',
    kept: undefined,
    dropped: 0,
    attrs: (shape, dtype) => ({ shape, dtype }),
  },
  examples: [
    { args: [f32(2, 3)], result: f32(2, 3) },
    { args: [boolean()], result: boolean() },
  ],
});
