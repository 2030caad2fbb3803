/** `GlobalAveragePool`: the mean over all spatial axes. */
import { globalPool } from '../families/global-pooling.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const globalAveragePool: OnnxImporter = globalPool(
  'GlobalAveragePool',
  'nn.global_avg_pool2d',
  'mean',
);
