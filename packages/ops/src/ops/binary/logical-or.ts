/** The operator `logical_or`. */
import { broadcastLogical } from '../../families/binary.ts';
import { math, x, y } from '../../scalar/expr.ts';

export const logicalOr = broadcastLogical({
  name: 'logical_or',
  doc: 'The logical or.',
  scalar: math.or(math.notEqual(x, 0), math.notEqual(y, 0)),
  flops: 1,
  onnx: { opType: 'Or', versions: [1, 7], broadcastsSince: 7 },
});
