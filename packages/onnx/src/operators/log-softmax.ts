/** `LogSoftmax`: the logarithm of softmax. */
import { softmaxLike } from '../families/softmax.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const logSoftmax: OnnxImporter = softmaxLike('LogSoftmax', 'nn.log_softmax');
