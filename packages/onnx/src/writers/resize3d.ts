/** `image.resize3d`. */
import { imageResampling, resizing } from '../forms/resize.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const resize3d: OnnxExporter = resizing('image.resize3d', 3, imageResampling);
