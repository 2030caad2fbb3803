/** Normalization over the last axes, by mean and deviation or by the root of the mean square. */
import type { Expr } from '@baton/ir';
import type { NodeContext } from '../operator-api/importer.ts';
import { elementType } from '../protobuf/element-type.ts';
import { ofType, widened } from './element-types.ts';

/** A normalization, and the values that it divides by. */
interface Normalized {
  /** Of the type of the scale, in which all others are given. */
  readonly result: Expr;
  /** Of the type that `stash_type` names. */
  readonly mean: Expr;
  /** The inverse of the deviation, of that type too. */
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
  const axis = axesFrom(context, x, first);
  const data = widened(context, x);
  const mean = context.call('mean', [data], { axis, keepdims: true });
  const centred = context.formula('?data - ?mean', { data, mean });
  return divided(context, centred, { scale, bias, axis, mean });
}

/** Data divided by the root of their mean square. */
export function rootNormalized(
  context: NodeContext,
  x: Expr,
  scale: Expr,
  first?: number,
): Normalized {
  const axis = axesFrom(context, x, first);
  const data = widened(context, x);
  const mean = context.call('mean', [data], { axis, keepdims: true });
  return divided(context, data, { scale, bias: undefined, axis, mean });
}

/** The parts of a normalization besides the data. */
interface Parts {
  readonly scale: Expr;
  readonly bias: Expr | undefined;
  readonly axis: ReadonlyArray<number>;
  readonly mean: Expr;
}

function divided(context: NodeContext, x: Expr, { scale, bias, axis, mean }: Parts): Normalized {
  const { attributes, call, formula } = context;
  const square = formula('mean(?x * ?x, axis=?axis, keepdims=True)', { x, axis });
  const epsilon = attributes.float('epsilon');
  const inverse = formula('rsqrt(?square + ?epsilon)', { square, epsilon });
  const dtype = context.dtypeOf(x);
  const scaled = call('multiply', [call('multiply', [x, inverse]), ofType(context, scale, dtype)]);
  const result = bias ? call('add', [scaled, ofType(context, bias, dtype)]) : scaled;
  const stash = elementType(attributes.int('stash_type', FLOAT))?.dtype ?? 'float32';
  return {
    result: ofType(context, result, context.dtypeOf(scale)),
    mean: ofType(context, mean, stash),
    inverse: ofType(context, inverse, stash),
  };
}

/** The number of float32, the default of `stash_type`. */
const FLOAT = 1;

/** The sum of the first two inputs and of a bias at a place, in float32 or wider. */
export function skipped(context: NodeContext, place: number): Expr {
  const { call, input, optional } = context;
  const sum = call('add', [widened(context, input(0)), widened(context, input(1))]);
  const bias = optional(place);
  return bias === undefined ? sum : call('add', [sum, widened(context, bias)]);
}
