/** `nn.adaptive_avg_pool2d`. */
import { adaptivePooling } from '../forms/pooling.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const adaptiveAvgPool2d: OnnxWriter = adaptivePooling('nn.adaptive_avg_pool2d', {
  opType: 'AveragePool',
  rank: 2,
});
