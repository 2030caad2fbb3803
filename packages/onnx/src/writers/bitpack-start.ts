/** `annotation.bitpack_start`: its argument. */
import { argumentOf } from '../forms/argument.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const bitpackStart: OnnxWriter = argumentOf('annotation.bitpack_start');
