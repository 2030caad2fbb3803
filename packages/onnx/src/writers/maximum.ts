/** `maximum` of two tensors. */
import { plainNode } from '../forms/renamed.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const maximum: OnnxWriter = plainNode('maximum', 'Max');
