import { unary } from '../families/elementwise.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `Sin`. */
export const sin: OnnxOperator = unary({ opType: 'Sin', versions: [7, 22], op: 'sin' });
