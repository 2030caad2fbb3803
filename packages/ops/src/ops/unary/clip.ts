import { float } from '../../attrs/codecs.ts';
import { attrs } from '../../attrs/schema.ts';
import { between, ZERO } from '../../bounds/bounds.ts';
import { elementCount } from '../../cost.ts';
import { defineOp } from '../../define-op.ts';
import { f32, i32 } from '../../example-types.ts';
import { clip as kernel } from '../../kernels/unary.ts';
import { identityIn } from '../../relation/basic.ts';

/** `clip`. */
export const clip = defineOp({
  name: 'clip',
  doc: 'Elements brought between `a_min` and `a_max`, compared in their own dtype; NaN stays.',
  source: 'operators §1; NumPy clip',
  inputs: ['x'],
  attrs: attrs({ a_min: float, a_max: float }),
  relation: identityIn('number'),
  kernel: (args, { a_min: low, a_max: high }, out) => kernel(args.tensor(0), low, high, out),
  cost: (_args, result) => 2 * elementCount(result),
  fusion: 'elemwise',
  kind: 'elementwise',
  numerics: 'exact',
  domain: 'any',
  bounds: ([x = ZERO], { attrs: { a_min: low, a_max: high } }) => {
    const into = (value: number): number => Math.min(Math.max(value, low), high);
    return between(into(x.lo), into(x.hi), Math.max(x.fraction, digits(low), digits(high)));
  },
  scaleAxis: 'none',
  sampled: 'between two bounds',
  examples: [
    { args: [f32(2, 3)], attrs: { a_min: -1, a_max: 1.5 }, result: f32(2, 3) },
    { args: [i32(4)], attrs: { a_min: 0, a_max: 2 }, result: i32(4) },
  ],
});

/** The binary digits of a bound behind the point. */
const digits = (x: number): number => [0, 1, 2, 3].find((k) => Number.isInteger(x * 2 ** k)) ?? 12;
