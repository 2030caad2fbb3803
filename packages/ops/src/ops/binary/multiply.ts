import { defineOp } from '../../define-op.ts';
import { binary } from '../../families/binary.ts';
import { mapForm } from '../../form/form.ts';
import { productOfTwo } from '../../on-integers/rules.ts';
import { math, x, y } from '../../scalar/expr.ts';
import { multiplyScale } from '../../scale-axis/maps.ts';

export const multiply = defineOp({
  name: 'multiply',
  doc: 'The product; on bool, and.',
  signature: binary('any'),
  form: mapForm(math.mul(x, y)),
  scaleAxis: multiplyScale,
  cell: 'product',
  onnx: { opType: 'Mul', versions: [1, 6, 7, 13, 14], broadcastsSince: 7 },
  quantizing: 'factor',
  onIntegers: productOfTwo,
});
