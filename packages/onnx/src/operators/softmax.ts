/** `Softmax`: along one axis, or over all trailing axes before 13. */
import { softmaxLike } from '../families/softmax.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const softmax: OnnxOperator = softmaxLike('Softmax', 'nn.softmax');
