/** `argmax`. */
import { extremePlace } from '../forms/extreme-place.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const argmax: OnnxWriter = extremePlace('argmax', 'ArgMax');
