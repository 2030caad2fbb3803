/** `nn.avg_pool3d`. */
import { pooling } from '../forms/pooling.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const avgPool3d: OnnxWriter = pooling('nn.avg_pool3d', { opType: 'AveragePool', rank: 3 });
