/** `QLinearGlobalAveragePool`: the mean over all places of a quantized tensor. */
import { channelsFirst } from '../../families/channels-first.ts';
import { throughFloats } from '../../families/through-floats.ts';
import type { OnnxImporter } from '../../operator-api/importer.ts';
import { globalAveragePool } from '../global-average-pool.ts';

export const qLinearGlobalAveragePool: OnnxImporter = throughFloats({
  opType: 'QLinearGlobalAveragePool',
  data: [0],
  result: 3,
  of: channelsFirst(globalAveragePool.convert),
});
