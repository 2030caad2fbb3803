/** `nn.relu`: before operator set 14, `Relu` has no integers, and after it no unsigned ones. */
import { isFloat } from '@baton/tensor';
import { formula } from '../forms/formula.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const relu: OnnxWriter = formula('nn.relu', (context, x) => {
  const dtype = context.dtype(x);
  if (dtype === 'bool' || dtype.startsWith('uint')) return context.node('Identity', [x]);
  const hasOwn = isFloat(dtype) || context.opset >= 14;
  return hasOwn ? context.node('Relu', [x]) : context.call('maximum', [x, 0]);
});
