/** `annotation.bitpack_end`: its argument. */
import { argumentOf } from '../forms/argument.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const bitpackEnd: OnnxWriter = argumentOf('annotation.bitpack_end');
