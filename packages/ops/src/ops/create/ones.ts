/** The operator `ones`. */
import { full } from '@baton/tensor';
import { dtype, list, naturalInt } from '../../attrs/codecs.ts';
import { attrs } from '../../attrs/schema.ts';
import { within } from '../../bounds/rules.ts';
import { noFlops } from '../../cost.ts';
import { defineOp } from '../../define-op.ts';
import { f32, i64 } from '../../example-types.ts';
import { statedType } from '../../relation/shape-of.ts';

export const ones = defineOp({
  name: 'ones',
  doc: 'A tensor of ones.',
  source: 'operators §4',
  inputs: [],
  attrs: attrs({ shape: list(naturalInt), dtype }),
  relation: statedType,
  kernel: (_args, { shape, dtype: type }, out) => full(shape, type, 1, out),
  cost: noFlops,
  fusion: 'elemwise',
  kind: 'elementwise',
  numerics: 'exact',
  domain: 'any',
  bounds: within(1, 1, 0),
  scaleAxis: 'none',
  sampled: 'filled',
  examples: [
    { args: [], attrs: { shape: [2, 3], dtype: 'float32' }, result: f32(2, 3) },
    { args: [], attrs: { shape: [], dtype: 'int64' }, result: i64() },
  ],
});
