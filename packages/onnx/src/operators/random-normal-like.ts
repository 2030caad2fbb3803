/** `RandomNormalLike`: random numbers in the shape of a tensor. */
import { drawing, NORMAL } from '../families/random.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const randomNormalLike: OnnxOperator = drawing(NORMAL, true);
