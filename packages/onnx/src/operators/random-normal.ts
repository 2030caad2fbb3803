/** `RandomNormal`: random numbers in a stated shape. */
import { drawing, NORMAL } from '../families/random.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const randomNormal: OnnxOperator = drawing(NORMAL, false);
