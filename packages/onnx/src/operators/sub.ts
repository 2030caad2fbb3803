import { binary } from '../families/elementwise.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `Sub`. */
export const sub: OnnxOperator = binary({ opType: 'Sub', versions: [7, 13, 14], op: 'subtract' });
