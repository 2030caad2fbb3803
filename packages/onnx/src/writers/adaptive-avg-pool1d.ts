/** `nn.adaptive_avg_pool1d`. */
import { adaptivePooling } from '../forms/pooling.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const adaptiveAvgPool1d: OnnxWriter = adaptivePooling('nn.adaptive_avg_pool1d', {
  opType: 'AveragePool',
  rank: 1,
});
