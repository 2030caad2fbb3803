import { int } from '../../attrs/codecs.ts';
import { attrs } from '../../attrs/schema.ts';
import { integral } from '../../bounds/rules.ts';
import { elementCount } from '../../cost.ts';
import { defineOp } from '../../define-op.ts';
import { dtypeDomain } from '../../diagnostics.ts';
import { i32 } from '../../example-types.ts';
import { finish, loadNumbers, numberBuffer } from '../../kernels/values.ts';
import { report, tensorTypeArg } from '../../relation/known.ts';

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
  kernel: (args, { multiplier, shift }, out) => {
    const x = args.tensor(0);
    const data = loadNumbers(x, out);
    const results = numberBuffer(x.dtype, data.length, out);
    for (let i = 0; i < data.length; i++) {
      results[i] = scaled(data[i] as number, BigInt(multiplier), 31 - shift);
    }
    return finish(results, x.shape, x.dtype, out);
  },
  cost: (_args, result) => 3 * elementCount(result),
  kind: 'elementwise',
  numerics: 'discontinuous',
  bounds: integral,
  examples: [{ args: [i32(3)], attrs: { multiplier: 1073741824, shift: 1 }, result: i32(3) }],
});

/** x · factor / 2^right, halves up. */
function scaled(x: number, factor: bigint, right: number): number {
  const product = BigInt(x) * factor;
  if (right <= 0) return Number(BigInt.asIntN(32, product << BigInt(-right)));
  const half = 1n << BigInt(right - 1);
  return Number(BigInt.asIntN(32, (product + half) >> BigInt(right)));
}
