/** `max`; of bools, whether any is true. */
import { reduction, throughOwn } from '../forms/reduction.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const max: OnnxWriter = reduction('max', {
  opType: 'ReduceMax',
  axesInputSince: 18,
  through: throughOwn,
});
