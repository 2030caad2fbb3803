/** `nn.conv3d`. */
import { convolution } from '../forms/convolution.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const conv3d: OnnxWriter = convolution('nn.conv3d', { opType: 'Conv', rank: 3 });
