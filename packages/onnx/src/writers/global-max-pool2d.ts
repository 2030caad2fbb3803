/** `nn.global_max_pool2d`. */
import { globalPooling } from '../forms/pooling.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const globalMaxPool2d: OnnxWriter = globalPooling('nn.global_max_pool2d', 'GlobalMaxPool');
