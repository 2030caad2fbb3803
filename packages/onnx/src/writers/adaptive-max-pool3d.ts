/** `nn.adaptive_max_pool3d`. */
import { adaptivePooling } from '../forms/pooling.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const adaptiveMaxPool3d: OnnxWriter = adaptivePooling('nn.adaptive_max_pool3d', {
  opType: 'MaxPool',
  rank: 3,
});
