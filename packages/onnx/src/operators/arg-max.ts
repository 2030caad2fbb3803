import { argReduction } from '../families/arg-reduction.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `ArgMax`. */
export const argMax: OnnxOperator = argReduction('ArgMax', 'argmax');
