import { binary } from '../families/elementwise.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `Less`. */
export const less: OnnxOperator = binary({ opType: 'Less', versions: [7, 9, 13], op: 'less' });
