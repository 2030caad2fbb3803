/** `prod`; of bools, whether all are true. */
import { reduction, throughInt32 } from '../forms/reduction.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const prod: OnnxExporter = reduction('prod', {
  opType: 'ReduceProd',
  axesInputSince: 18,
  through: throughInt32,
});
