import { defineOp } from '../../define-op.ts';
import { unary } from '../../families/unary.ts';
import { mapForm } from '../../form/form.ts';
import { rectifierOnIntegers } from '../../on-integers/rules.ts';
import { math, x } from '../../scalar/expr.ts';
import { rectifierScale } from '../../scale-axis/maps.ts';

export const relu = defineOp({
  name: 'nn.relu',
  doc: 'The larger of the element and 0; NaN is kept.',
  signature: unary('number'),
  form: mapForm(math.max(x, 0)),
  scaleAxis: rectifierScale,
  range: () => [0, Number.POSITIVE_INFINITY],
  onnx: { opType: 'Relu', versions: [6, 13, 14] },
  quantizing: 'rectifier',
  onIntegers: rectifierOnIntegers,
});
