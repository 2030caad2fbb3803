/** `dyn.reshape`: ONNX has the codes 0 and −1. */
import { toNumbers } from '@baton/tensor';
import { formula } from '../forms/formula.ts';
import { castTo } from '../forms/types.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const dynReshape: OnnxExporter = formula('dyn.reshape', (context, x, newshape) => {
  const codes = newshape.constant && Array.from(toNumbers(newshape.constant));
  if (codes?.some((code) => code < -1)) {
    const { all } = context.attrs;
    return context.call('reshape', [x], { newshape: codes, allowzero: all.allowzero ?? 0 });
  }
  const shape = castTo(context, newshape, 'int64');
  const allowzero = context.attrs.int('allowzero');
  const attributes =
    allowzero === 0 ? {} : { allowzero: { kind: 'int', value: allowzero } as const };
  return context.node('Reshape', [x, shape], attributes);
});
