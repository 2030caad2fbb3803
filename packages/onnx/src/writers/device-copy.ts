/** `device_copy`: its argument. */
import { argumentOf } from '../forms/argument.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const deviceCopy: OnnxWriter = argumentOf('device_copy');
