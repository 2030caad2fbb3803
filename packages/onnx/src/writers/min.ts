/** `min`; of bools, whether all are true. */
import { reduction, throughOwn } from '../forms/reduction.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const min: OnnxExporter = reduction('min', {
  opType: 'ReduceMin',
  axesInputSince: 18,
  through: throughOwn,
});
