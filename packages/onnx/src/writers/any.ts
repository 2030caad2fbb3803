/** `any`: the greatest of 0 and 1. */
import { reduction, throughOwn } from '../forms/reduction.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const any: OnnxWriter = reduction('any', {
  opType: 'ReduceMax',
  axesInputSince: 18,
  through: throughOwn,
});
