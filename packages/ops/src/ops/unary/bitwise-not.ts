/** The operator `bitwise_not`. */
import { unaryInt } from '../../families/unary.ts';
import { math, x } from '../../scalar/expr.ts';

export const bitwiseNot = unaryInt({
  name: 'bitwise_not',
  doc: 'Inverts every bit.',
  scalar: math.not(x),
  flops: 1,
  onnx: { opType: 'BitwiseNot', versions: [18] },
});
