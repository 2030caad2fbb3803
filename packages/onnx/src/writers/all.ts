/** `all`: the least of 0 and 1. */
import { reduction, throughOwn } from '../forms/reduction.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const all: OnnxWriter = reduction('all', {
  opType: 'ReduceMin',
  axesInputSince: 18,
  through: throughOwn,
});
