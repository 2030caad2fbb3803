/** `max`; of bools, whether any is true. */
import { reduction, throughOwn } from '../forms/reduction.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const max: OnnxExporter = reduction('max', {
  opType: 'ReduceMax',
  axesInputSince: 18,
  through: throughOwn,
});
