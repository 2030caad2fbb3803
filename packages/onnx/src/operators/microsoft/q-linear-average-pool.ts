/** `QLinearAveragePool`: the mean of each window of a quantized tensor. */
import { channelsFirst } from '../../families/channels-first.ts';
import { throughFloats } from '../../families/through-floats.ts';
import type { OnnxImporter } from '../../operator-api/importer.ts';
import { averagePool } from '../average-pool.ts';

export const qLinearAveragePool: OnnxImporter = throughFloats({
  opType: 'QLinearAveragePool',
  data: [0],
  result: 3,
  of: channelsFirst(averagePool.convert),
});
