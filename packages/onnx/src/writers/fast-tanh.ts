/** `fast_tanh`, exactly. */
import { plainNode } from '../forms/renamed.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const fastTanh: OnnxWriter = plainNode('fast_tanh', 'Tanh');
