/** `annotation.bitpack_end`: its argument. */
import { argumentOf } from '../forms/argument.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const bitpackEnd: OnnxExporter = argumentOf('annotation.bitpack_end');
