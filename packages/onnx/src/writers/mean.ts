/** `mean`. */
import { reduction } from '../forms/reduction.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const mean: OnnxWriter = reduction('mean', {
  opType: 'ReduceMean',
  axesInputSince: 18,
});
