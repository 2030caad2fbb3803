/** `all`: the least of 0 and 1. */
import { reduction, throughOwn } from '../forms/reduction.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const all: OnnxExporter = reduction('all', {
  opType: 'ReduceMin',
  axesInputSince: 18,
  through: throughOwn,
});
