import { int } from '../../attrs/codecs.ts';
import { attrs } from '../../attrs/schema.ts';
import { integral } from '../../bounds/rules.ts';
import { elementCount } from '../../cost.ts';
import { defineOp } from '../../define-op.ts';
import { dtypeDomain } from '../../diagnostics.ts';
import { i32 } from '../../example-types.ts';
import { fixedPointMultiply as kernel } from '../../kernels/unary.ts';
import { report, tensorTypeArg } from '../../relation/known.ts';

/** `fixed_point_multiply`. */
export const fixedPointMultiply = defineOp({
  name: 'fixed_point_multiply',
  doc: 'Int32 times `multiplier` times 2 to the power of `shift` - 31, rounded half up.',
  source: 'operators §1',
  inputs: ['x'],
  attrs: attrs({ multiplier: int, shift: int }),
  relation: (args, _attrs, context) => {
    const x = tensorTypeArg(args, 0, context);
    if (x === undefined || typeof x.dtype !== 'string') return undefined;
    if (x.dtype !== 'int32') return report(context, dtypeDomain('a tensor of int32', x.dtype));
    return x;
  },
  kernel: (args, { multiplier, shift }, out) => kernel(args.tensor(0), multiplier, shift, out),
  cost: (_args, result) => 3 * elementCount(result),
  fusion: 'elemwise',
  kind: 'elementwise',
  numerics: 'discontinuous',
  domain: 'any',
  bounds: integral,
  scaleAxis: 'none',
  examples: [{ args: [i32(3)], attrs: { multiplier: 1073741824, shift: 1 }, result: i32(3) }],
});
