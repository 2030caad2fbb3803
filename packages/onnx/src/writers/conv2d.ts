/** `nn.conv2d`. */
import { convolution } from '../forms/convolution.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const conv2d: OnnxWriter = convolution('nn.conv2d', { opType: 'Conv', rank: 2 });
