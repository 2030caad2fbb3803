/** The operator `nn.relu`. */
import { unaryNumeric } from '../../families/unary.ts';
import { rectifierOnIntegers } from '../../on-integers/rules.ts';
import { math, x } from '../../scalar/expr.ts';
import { rectifierScale } from '../../scale-axis/maps.ts';

export const relu = unaryNumeric({
  name: 'nn.relu',
  doc: 'The larger of the element and 0; NaN is kept.',
  scalar: math.max(x, 0),
  flops: 1,
  scaleAxis: rectifierScale,
  range: () => [0, Number.POSITIVE_INFINITY],
  numerics: 'exact',
  domain: 'any',
  common: true,
  onnx: { opType: 'Relu', versions: [6, 13, 14] },
  quantizing: 'rectifier',
  onIntegers: rectifierOnIntegers,
});
