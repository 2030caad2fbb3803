/** `HammingWindow`. */
import { cosineWindow } from '../families/cosine-window.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const hammingWindow: OnnxOperator = cosineWindow('HammingWindow', [25 / 46, 21 / 46]);
