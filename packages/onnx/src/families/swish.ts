/** x · sigmoid(αx), a part of several operators. */
import type { Expr } from '@baton/ir';
import type { MakeCall } from './formula.ts';

/** x · sigmoid(αx). */
export const swishOf = (call: MakeCall, x: Expr, alpha: number): Expr =>
  call('multiply', [x, call('sigmoid', [alpha === 1 ? x : call('multiply', [x, alpha])])]);
