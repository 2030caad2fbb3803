/** `annotation.checkpoint`: its argument. */
import { argumentOf } from '../forms/argument.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const checkpoint: OnnxExporter = argumentOf('annotation.checkpoint');
