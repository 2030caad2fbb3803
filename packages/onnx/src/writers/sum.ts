/** `sum`; of bools, whether any is true. */
import { reduction, throughInt32 } from '../forms/reduction.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const sum: OnnxExporter = reduction('sum', {
  opType: 'ReduceSum',
  axesInputSince: 13,
  through: throughInt32,
});
