/** Gelu: x times the share of a normal distribution below x. */
import type { Expr } from '@baton/ir';
import type { MakeCall } from './formula.ts';

/** x/2 · (1 + erf(x/√2)). */
export const geluOf = (call: MakeCall, x: Expr): Expr =>
  bentBy(call, x, call('erf', [call('multiply', [x, Math.SQRT1_2])]));

/** The approximation by tanh(√(2/π) · (x + 0.044715 x³)). */
export function tanhGeluOf(call: MakeCall, x: Expr): Expr {
  const times = (a: Expr, b: Expr | number): Expr => call('multiply', [a, b]);
  const cube = times(times(x, times(x, x)), 0.044715);
  return bentBy(call, x, call('tanh', [times(call('add', [x, cube]), Math.sqrt(2 / Math.PI))]));
}

const bentBy = (call: MakeCall, x: Expr, bent: Expr): Expr =>
  call('multiply', [call('multiply', [x, 0.5]), call('add', [bent, 1])]);
