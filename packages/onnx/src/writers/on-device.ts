/** `on_device`: its argument. */
import { argumentOf } from '../forms/argument.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const onDevice: OnnxExporter = argumentOf('on_device');
