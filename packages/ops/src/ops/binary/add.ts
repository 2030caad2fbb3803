/** The operator `add`. */
import { sumOfTwo } from '../../bounds/rules.ts';
import { broadcastBinary } from '../../families/binary.ts';
import { sumOnIntegers } from '../../on-integers/rules.ts';
import { math, x, y } from '../../scalar/expr.ts';
import { sumScale } from '../../scale-axis/maps.ts';

export const add = broadcastBinary({
  name: 'add',
  doc: 'The sum; on bool, or.',
  scalar: math.add(x, y),
  flops: 1,
  scaleAxis: sumScale,
  numerics: 'exact',
  bounds: sumOfTwo,
  common: true,
  cell: 'sum',
  onnx: { opType: 'Add', versions: [1, 6, 7, 13, 14], broadcastsSince: 7 },
  quantizing: 'sum',
  onIntegers: sumOnIntegers('qnn.add'),
});
