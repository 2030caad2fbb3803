/** `Softmax`: along one axis, or over all trailing axes before 13. */
import { softmaxLike } from '../families/softmax.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const softmax: OnnxImporter = softmaxLike('Softmax', 'nn.softmax');
