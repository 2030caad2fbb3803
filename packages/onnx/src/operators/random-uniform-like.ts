/** `RandomUniformLike`: random numbers in the shape of a tensor. */
import { drawing, UNIFORM } from '../families/random.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const randomUniformLike: OnnxOperator = drawing(UNIFORM, true);
