/** `any`: the greatest of 0 and 1. */
import { reduction, throughOwn } from '../forms/reduction.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const any: OnnxExporter = reduction('any', {
  opType: 'ReduceMax',
  axesInputSince: 18,
  through: throughOwn,
});
