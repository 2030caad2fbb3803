/** `CumProd`: the product of all elements up to each place. */
import { scan } from '../families/scan.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const cumProd: OnnxOperator = scan('CumProd', [26], 'cumprod');
