/** `nn.avg_pool2d`. */
import { pooling } from '../forms/pooling.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const avgPool2d: OnnxWriter = pooling('nn.avg_pool2d', { opType: 'AveragePool', rank: 2 });
