/** `image.resize3d`. */
import { imageResampling, resizing } from '../forms/resize.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const resize3d: OnnxWriter = resizing('image.resize3d', 3, imageResampling);
