/** `sum`; of bools, whether any is true. */
import { reduction, throughInt32 } from '../forms/reduction.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const sum: OnnxWriter = reduction('sum', {
  opType: 'ReduceSum',
  axesInputSince: 13,
  through: throughInt32,
});
