/** The operator `abs`. */
import { between, magnitude, ZERO } from '../../bounds/bounds.ts';
import { unaryNumeric } from '../../families/unary.ts';
import { functionOnIntegers } from '../../on-integers/rules.ts';
import { math, x } from '../../scalar/expr.ts';

export const abs = unaryNumeric({
  name: 'abs',
  doc: 'The absolute value; the smallest integer wraps to itself.',
  scalar: math.abs(x),
  flops: 1,
  numerics: 'exact',
  domain: 'any',
  bounds: ([x = ZERO]) => {
    const least = x.lo <= 0 && x.hi >= 0 ? 0 : Math.min(Math.abs(x.lo), Math.abs(x.hi));
    return between(least, magnitude(x), x.fraction);
  },
  onnx: { opType: 'Abs', versions: [6, 13] },
  onIntegers: functionOnIntegers('qnn.abs'),
});
