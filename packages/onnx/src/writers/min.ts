/** `min`; of bools, whether all are true. */
import { reduction, throughOwn } from '../forms/reduction.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const min: OnnxWriter = reduction('min', {
  opType: 'ReduceMin',
  axesInputSince: 18,
  through: throughOwn,
});
