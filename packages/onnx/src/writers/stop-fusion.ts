/** `annotation.stop_fusion`: its argument. */
import { argumentOf } from '../forms/argument.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const stopFusion: OnnxWriter = argumentOf('annotation.stop_fusion');
