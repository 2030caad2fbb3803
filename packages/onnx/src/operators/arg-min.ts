import { argReduction } from '../families/arg-reduction.ts';
import type { OnnxOperator } from '../import/operator.ts';

/** `ArgMin`. */
export const argMin: OnnxOperator = argReduction('ArgMin', 'argmin');
