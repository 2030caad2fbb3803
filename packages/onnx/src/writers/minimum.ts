/** `minimum` of two tensors. */
import { plainNode } from '../forms/renamed.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const minimum: OnnxWriter = plainNode('minimum', 'Min');
