import { unary } from '../families/elementwise.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `Relu`. */
export const relu: OnnxOperator = unary({ opType: 'Relu', versions: [6, 13, 14], op: 'nn.relu' });
