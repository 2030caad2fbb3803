/** `nn.max_pool2d`. */
import { pooling } from '../forms/pooling.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const maxPool2d: OnnxWriter = pooling('nn.max_pool2d', { opType: 'MaxPool', rank: 2 });
