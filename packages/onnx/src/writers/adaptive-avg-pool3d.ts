/** `nn.adaptive_avg_pool3d`. */
import { adaptivePooling } from '../forms/pooling.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const adaptiveAvgPool3d: OnnxWriter = adaptivePooling('nn.adaptive_avg_pool3d', {
  opType: 'AveragePool',
  rank: 3,
});
