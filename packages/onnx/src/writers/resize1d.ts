/** `image.resize1d`. */
import { imageResampling, resizing } from '../forms/resize.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const resize1d: OnnxWriter = resizing('image.resize1d', 1, imageResampling);
