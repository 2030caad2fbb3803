/** `LogSoftmax`: the logarithm of softmax. */
import { softmaxLike } from '../families/softmax.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const logSoftmax: OnnxOperator = softmaxLike('LogSoftmax', 'nn.log_softmax');
