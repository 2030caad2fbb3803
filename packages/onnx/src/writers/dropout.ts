/** `nn.dropout`, which at inference is the data and a mask of ones. */
import { formula } from '../forms/formula.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const dropout: OnnxExporter = formula('nn.dropout', (context, x) => [
  x,
  context.call('ones_like', [x]),
]);
