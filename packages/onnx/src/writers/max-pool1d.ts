/** `nn.max_pool1d`. */
import { pooling } from '../forms/pooling.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const maxPool1d: OnnxWriter = pooling('nn.max_pool1d', { opType: 'MaxPool', rank: 1 });
