/** `annotation.cast_hint`: its argument. */
import { argumentOf } from '../forms/argument.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const castHint: OnnxWriter = argumentOf('annotation.cast_hint');
