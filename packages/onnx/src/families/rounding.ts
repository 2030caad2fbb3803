/** Rounding to the nearest whole number, halves to the even one. */
import type { Expr } from '@baton/ir';
import type { NodeContext } from '../node/operator.ts';

/** The Baton operators that it calls. */
export const ROUND_NEEDS = [
  'round',
  'trunc',
  'subtract',
  'abs',
  'equal',
  'multiply',
  'where',
] as const;

/** Baton rounds halves away from zero: halves are therefore rounded once more, by twos. */
export function roundedEven(context: NodeContext, x: Expr): Expr {
  const dtype = context.dtypeOf(x);
  const number = (value: number): Expr => context.scalar(value, dtype);
  const rest = context.call('abs', [context.call('subtract', [x, context.call('trunc', [x])])]);
  const isHalf = context.call('equal', [rest, number(0.5)]);
  const half = context.call('round', [context.call('multiply', [x, number(0.5)])]);
  const even = context.call('multiply', [half, number(2)]);
  return context.call('where', [isHalf, even, context.call('round', [x])]);
}
