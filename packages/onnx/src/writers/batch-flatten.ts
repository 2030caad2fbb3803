/** `nn.batch_flatten`. */
import { formula } from '../forms/formula.ts';
import { reshaped } from '../forms/reshaping.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const batchFlatten: OnnxExporter = formula('nn.batch_flatten', (context, x) =>
  reshaped(context, x, [
    { begin: 0, end: 1 },
    { begin: 1, end: context.dims(x).length },
  ]),
);
