/** `ArgMax`: the place of the greatest element. */
import { argReduction } from '../families/arg-reduction.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const argMax: OnnxOperator = argReduction('ArgMax', 'argmax');
