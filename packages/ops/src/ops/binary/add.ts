import { defineOp } from '../../define-op.ts';
import { binary } from '../../families/binary.ts';
import { mapForm } from '../../form/form.ts';
import { sumOnIntegers } from '../../on-integers/rules.ts';
import { math, x, y } from '../../scalar/expr.ts';
import { sumScale } from '../../scale-axis/maps.ts';

export const add = defineOp({
  name: 'add',
  doc: 'The sum; on bool, or.',
  signature: binary('any'),
  form: mapForm(math.add(x, y)),
  scaleAxis: sumScale,
  cell: 'sum',
  onnx: { opType: 'Add', versions: [1, 6, 7, 13, 14], broadcastsSince: 7 },
  quantizing: 'sum',
  onIntegers: sumOnIntegers('qnn.add'),
});
