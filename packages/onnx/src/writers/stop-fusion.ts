/** `annotation.stop_fusion`: its argument. */
import { argumentOf } from '../forms/argument.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const stopFusion: OnnxExporter = argumentOf('annotation.stop_fusion');
