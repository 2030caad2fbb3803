/** `CumSum`: the sum of all elements up to each place. */
import { scan } from '../families/scan.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const cumSum: OnnxOperator = scan('CumSum', [11, 14], 'cumsum');
