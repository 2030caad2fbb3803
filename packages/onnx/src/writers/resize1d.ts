/** `image.resize1d`. */
import { imageResampling, resizing } from '../forms/resize.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const resize1d: OnnxExporter = resizing('image.resize1d', 1, imageResampling);
