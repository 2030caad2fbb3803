/** `fast_exp`, exactly. */
import { plainNode } from '../forms/renamed.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const fastExp: OnnxWriter = plainNode('fast_exp', 'Exp');
