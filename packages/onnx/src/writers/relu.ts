/**
 * `nn.relu`. Of integers it is a maximum: before operator set 14 `Relu` has none, and runtimes have
 * code for few of them in later sets.
 */
import { isFloat } from '@baton/tensor';
import { formula } from '../forms/formula.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const relu: OnnxExporter = formula('nn.relu', (context, x) => {
  const dtype = context.dtype(x);
  if (dtype === 'bool' || dtype.startsWith('uint')) return context.node('Identity', [x]);
  return isFloat(dtype) ? context.node('Relu', [x]) : context.call('maximum', [x, 0]);
});
