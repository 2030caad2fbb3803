/** `HannWindow`. */
import { cosineWindow } from '../families/cosine-window.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const hannWindow: OnnxOperator = cosineWindow('HannWindow', [0.5, 0.5]);
