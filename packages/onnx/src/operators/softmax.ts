import { softmaxLike } from '../families/softmax.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `Softmax`. */
export const softmax: OnnxOperator = softmaxLike('Softmax', 'nn.softmax');
