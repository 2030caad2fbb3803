/** `argmin`. */
import { extremePlace } from '../forms/extreme-place.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const argmin: OnnxWriter = extremePlace('argmin', 'ArgMin');
