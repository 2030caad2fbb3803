/** The operator `logical_and`. */
import { broadcastLogical } from '../../families/binary.ts';
import { math, x, y } from '../../scalar/expr.ts';

export const logicalAnd = broadcastLogical({
  name: 'logical_and',
  doc: 'The logical and.',
  scalar: math.and(math.notEqual(x, 0), math.notEqual(y, 0)),
  flops: 1,
  onnx: { opType: 'And', versions: [1, 7], broadcastsSince: 7 },
});
