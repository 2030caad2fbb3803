/** `nn.max_pool3d`. */
import { pooling } from '../forms/pooling.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const maxPool3d: OnnxWriter = pooling('nn.max_pool3d', { opType: 'MaxPool', rank: 3 });
