/** `fast_erf`, exactly. */
import { plainNode } from '../forms/renamed.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const fastErf: OnnxWriter = plainNode('fast_erf', 'Erf');
