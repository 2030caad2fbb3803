/** `annotation.cast_hint`: its argument. */
import { argumentOf } from '../forms/argument.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const castHint: OnnxExporter = argumentOf('annotation.cast_hint');
