/** `power`. */
import { plainNode } from '../forms/renamed.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const power: OnnxWriter = plainNode('power', 'Pow');
