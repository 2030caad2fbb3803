/** `nn.global_avg_pool2d`. */
import { globalPooling } from '../forms/pooling.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const globalAvgPool2d: OnnxWriter = globalPooling(
  'nn.global_avg_pool2d',
  'GlobalAveragePool',
);
