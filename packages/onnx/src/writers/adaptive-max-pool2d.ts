/** `nn.adaptive_max_pool2d`. */
import { adaptivePooling } from '../forms/pooling.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const adaptiveMaxPool2d: OnnxWriter = adaptivePooling('nn.adaptive_max_pool2d', {
  opType: 'MaxPool',
  rank: 2,
});
