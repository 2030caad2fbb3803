import { softmaxLike } from '../families/softmax.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `LogSoftmax`. */
export const logSoftmax: OnnxOperator = softmaxLike('LogSoftmax', 'nn.log_softmax');
