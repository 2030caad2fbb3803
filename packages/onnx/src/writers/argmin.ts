/** `argmin`. */
import { extremePlace } from '../forms/extreme-place.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const argmin: OnnxExporter = extremePlace('argmin', 'ArgMin');
