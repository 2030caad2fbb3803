/** `ArgMin`: the place of the least element. */
import { argReduction } from '../families/arg-reduction.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const argMin: OnnxOperator = argReduction('ArgMin', 'argmin');
