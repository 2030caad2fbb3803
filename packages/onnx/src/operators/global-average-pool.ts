/** `GlobalAveragePool`: the mean over all spatial axes. */
import { globalPool } from '../families/global-pooling.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const globalAveragePool: OnnxOperator = globalPool(
  'GlobalAveragePool',
  'nn.global_avg_pool2d',
  'mean',
);
