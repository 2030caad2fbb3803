/** `image.resize2d`. */
import { imageResampling, resizing } from '../forms/resize.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const resize2d: OnnxWriter = resizing('image.resize2d', 2, imageResampling);
