/** The operator `logical_xor`. */
import { broadcastLogical } from '../../families/binary.ts';
import { math, x, y } from '../../scalar/expr.ts';

export const logicalXor = broadcastLogical({
  name: 'logical_xor',
  doc: 'The logical exclusive or.',
  scalar: math.xor(math.notEqual(x, 0), math.notEqual(y, 0)),
  flops: 1,
  onnx: { opType: 'Xor', versions: [1, 7], broadcastsSince: 7 },
});
