/** `RandomUniform`: random numbers in a stated shape. */
import { drawing, UNIFORM } from '../families/random.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const randomUniform: OnnxOperator = drawing(UNIFORM, false);
