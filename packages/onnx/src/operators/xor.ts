import { binary } from '../families/elementwise.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `Xor`. */
export const xor: OnnxOperator = binary({ opType: 'Xor', versions: [7], op: 'logical_xor' });
