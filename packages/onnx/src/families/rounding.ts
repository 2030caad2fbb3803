/** Rounding to the nearest whole number, halves to the even one. */
import type { Expr } from '@baton/ir';
import type { MakeCall } from './formula.ts';

/** Baton rounds halves away from zero, so halves are rounded once more, by twos. */
export function roundedEven(call: MakeCall, x: Expr): Expr {
  const half = call('round', [call('multiply', [x, 0.5])]);
  const isHalf = call('equal', [call('abs', [call('subtract', [x, call('trunc', [x])])]), 0.5]);
  return call('where', [isHalf, call('multiply', [half, 2]), call('round', [x])]);
}
