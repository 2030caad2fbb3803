/** `nn.adaptive_max_pool1d`. */
import { adaptivePooling } from '../forms/pooling.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const adaptiveMaxPool1d: OnnxWriter = adaptivePooling('nn.adaptive_max_pool1d', {
  opType: 'MaxPool',
  rank: 1,
});
