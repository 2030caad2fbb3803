/** `argmax`. */
import { extremePlace } from '../forms/extreme-place.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const argmax: OnnxExporter = extremePlace('argmax', 'ArgMax');
