/** `nn.conv1d`. */
import { convolution } from '../forms/convolution.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const conv1d: OnnxWriter = convolution('nn.conv1d', { opType: 'Conv', rank: 1 });
