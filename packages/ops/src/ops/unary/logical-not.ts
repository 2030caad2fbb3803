/** The operator `logical_not`. */
import { unaryBool } from '../../families/unary.ts';
import { math, x } from '../../scalar/expr.ts';

export const logicalNot = unaryBool({
  name: 'logical_not',
  doc: 'The negation of a bool.',
  scalar: math.equal(x, 0),
  flops: 1,
  onnx: { opType: 'Not', versions: [1] },
});
