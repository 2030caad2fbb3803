import { argReduction } from '../families/arg-reduction.ts';
import type { OnnxOperator } from '../node/operator.ts';

/** `ArgMin`. */
export const argMin: OnnxOperator = argReduction('ArgMin', 'argmin');
