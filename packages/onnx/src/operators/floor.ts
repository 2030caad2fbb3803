import { unary } from '../families/elementwise.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `Floor`. */
export const floor: OnnxOperator = unary({ opType: 'Floor', versions: [6, 13], op: 'floor' });
