/** The operator `isnan`. */
import { unaryTest } from '../../families/unary.ts';
import { math, x } from '../../scalar/expr.ts';

export const isnan = unaryTest({
  name: 'isnan',
  doc: 'True for elements that are NaN.',
  scalar: math.notEqual(x, x),
  flops: 1,
  onnx: { opType: 'IsNaN', versions: [9, 13, 20] },
});
