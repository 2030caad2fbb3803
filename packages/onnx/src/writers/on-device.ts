/** `on_device`: its argument. */
import { argumentOf } from '../forms/argument.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const onDevice: OnnxWriter = argumentOf('on_device');
