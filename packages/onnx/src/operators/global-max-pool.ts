/** `GlobalMaxPool`: the maximum over all spatial axes. */
import { globalPool } from '../families/global-pooling.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const globalMaxPool: OnnxOperator = globalPool(
  'GlobalMaxPool',
  'nn.global_max_pool2d',
  'max',
);
