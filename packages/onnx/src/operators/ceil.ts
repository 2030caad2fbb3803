import { unary } from '../families/elementwise.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `Ceil`. */
export const ceil: OnnxOperator = unary({ opType: 'Ceil', versions: [6, 13], op: 'ceil' });
