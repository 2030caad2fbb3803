/** Normalization over the last axes, by mean and deviation or by the root of the mean square. */
import type { Expr } from '@baton/ir';
import type { NodeContext } from '../node/operator.ts';

/** A normalization, and the values that it divides by. */
export interface Normalized {
  readonly result: Expr;
  readonly mean: Expr;
  /** The inverse of the deviation. */
  readonly inverse: Expr;
}

/** The axes from `first` on; by default the last. */
const axesFrom = (context: NodeContext, x: Expr, first: number | undefined): number[] => {
  const rank = context.dimsOf(x).length;
  const start = first ?? Math.max(rank - 1, 0);
  return Array.from({ length: rank - start }, (_, i) => start + i);
};

/** Data without their mean, divided by their deviation. */
export function normalized(
  context: NodeContext,
  x: Expr,
  scale: Expr,
  bias: Expr | undefined,
  first?: number,
): Normalized {
  const { call } = context;
  const axis = axesFrom(context, x, first);
  const mean = call('mean', [x], { axis, keepdims: true });
  const centred = call('subtract', [x, mean]);
  const { result, inverse } = divided(context, centred, scale, axis);
  return { result: bias === undefined ? result : call('add', [result, bias]), mean, inverse };
}

/** Data divided by the root of their mean square. */
export function rootNormalized(
  context: NodeContext,
  x: Expr,
  scale: Expr,
  first?: number,
): Normalized {
  const axis = axesFrom(context, x, first);
  return { ...divided(context, x, scale, axis), mean: context.call('mean', [x], { axis }) };
}

function divided(
  { attributes, call }: NodeContext,
  x: Expr,
  scale: Expr,
  axis: ReadonlyArray<number>,
): Omit<Normalized, 'mean'> {
  const square = call('mean', [call('multiply', [x, x])], { axis, keepdims: true });
  const epsilon = attributes.float('epsilon', Math.fround(1e-5));
  const inverse = call('rsqrt', [call('add', [square, epsilon])]);
  return { result: call('multiply', [call('multiply', [x, inverse]), scale]), inverse };
}

/** The sum of the first two inputs and of a bias at a place. */
export function skipped({ call, input, optional }: NodeContext, place: number): Expr {
  const sum = call('add', [input(0), input(1)]);
  const bias = optional(place);
  return bias === undefined ? sum : call('add', [sum, bias]);
}
