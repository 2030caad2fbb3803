/** `device_copy`: its argument. */
import { argumentOf } from '../forms/argument.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const deviceCopy: OnnxExporter = argumentOf('device_copy');
