import { globalPool } from '../families/global-pooling.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `GlobalMaxPool`. */
export const globalMaxPool: OnnxOperator = globalPool(
  'GlobalMaxPool',
  'nn.global_max_pool2d',
  'max',
);
