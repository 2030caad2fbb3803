import { defineOp } from '../../define-op.ts';
import { binary } from '../../families/binary.ts';
import { mapForm } from '../../form/form.ts';
import { sumOnIntegers } from '../../on-integers/rules.ts';
import { math, x, y } from '../../scalar/expr.ts';
import { sumScale } from '../../scale-axis/maps.ts';

export const subtract = defineOp({
  name: 'subtract',
  doc: 'The difference.',
  signature: binary('any'),
  form: mapForm(math.sub(x, y)),
  scaleAxis: sumScale,
  onnx: { opType: 'Sub', versions: [1, 6, 7, 13, 14], broadcastsSince: 7 },
  onIntegers: sumOnIntegers('qnn.subtract'),
});
