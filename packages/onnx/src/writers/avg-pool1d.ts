/** `nn.avg_pool1d`. */
import { pooling } from '../forms/pooling.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const avgPool1d: OnnxWriter = pooling('nn.avg_pool1d', { opType: 'AveragePool', rank: 1 });
