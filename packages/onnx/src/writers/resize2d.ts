/** `image.resize2d`. */
import { imageResampling, resizing } from '../forms/resize.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const resize2d: OnnxExporter = resizing('image.resize2d', 2, imageResampling);
