/** `annotation.bitpack_start`: its argument. */
import { argumentOf } from '../forms/argument.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const bitpackStart: OnnxExporter = argumentOf('annotation.bitpack_start');
