/** `BlackmanWindow`. */
import { cosineWindow } from '../families/cosine-window.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const blackmanWindow: OnnxOperator = cosineWindow('BlackmanWindow', [0.42, 0.5, 0.08]);
