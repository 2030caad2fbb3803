/** `GlobalMaxPool`: the maximum over all spatial axes. */
import { globalPool } from '../families/global-pooling.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const globalMaxPool: OnnxImporter = globalPool(
  'GlobalMaxPool',
  'nn.global_max_pool2d',
  'max',
);
