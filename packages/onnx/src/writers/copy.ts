/** `copy`: the value itself. */
import { plainNode } from '../forms/renamed.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const copy: OnnxWriter = plainNode('copy', 'Identity');
