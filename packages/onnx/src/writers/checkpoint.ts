/** `annotation.checkpoint`: its argument. */
import { argumentOf } from '../forms/argument.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const checkpoint: OnnxWriter = argumentOf('annotation.checkpoint');
