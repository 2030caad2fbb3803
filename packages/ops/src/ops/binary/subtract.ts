/** The operator `subtract`. */
import { between, ZERO } from '../../bounds/bounds.ts';
import { broadcastBinary } from '../../families/binary.ts';
import { sumOnIntegers } from '../../on-integers/rules.ts';
import { math, x, y } from '../../scalar/expr.ts';
import { sumScale } from '../../scale-axis/maps.ts';

export const subtract = broadcastBinary({
  name: 'subtract',
  doc: 'The difference.',
  scalar: math.sub(x, y),
  flops: 1,
  scaleAxis: sumScale,
  numerics: 'exact',
  bounds: ([a = ZERO, b = ZERO]) =>
    between(a.lo - b.hi, a.hi - b.lo, Math.max(a.fraction, b.fraction)),
  onnx: { opType: 'Sub', versions: [1, 6, 7, 13, 14], broadcastsSince: 7 },
  onIntegers: sumOnIntegers('qnn.subtract'),
});
