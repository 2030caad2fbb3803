/** `nn.fast_softmax`, exactly. */
import { formula } from '../forms/formula.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const fastSoftmax: OnnxExporter = formula('nn.fast_softmax', (context, x) =>
  context.call('nn.softmax', [x], context.attrs.all),
);
