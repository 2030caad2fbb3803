/** `Shrink`: x moved by `bias` toward 0 beyond ±λ, 0 between. */
import { apply, formula } from '../families/formula.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const shrink: OnnxOperator = formula(
  'Shrink',
  [9],
  { bias: 0, lambd: 0.5 },
  ({ bias, lambd }, x) => {
    const above = apply('where', [apply('greater', [x, lambd]), apply('subtract', [x, bias]), 0]);
    return apply('where', [apply('less', [x, -lambd]), apply('add', [x, bias]), above]);
  },
);
