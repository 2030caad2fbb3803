/** The expressions that shape a scale: squeezed out of an operand, or aligned with axes. */
import { invariant, type Span } from '@baton/base';
import type { Expr, OpTable, Type } from '@baton/ir';
import { callOp } from '../build.ts';
import { dimsOf, staticDims, variesOnlyAlong } from './shape.ts';

/**
 * Inserts axes of size 1 into `scale`, whose axes are `axes` in order, so that it broadcasts along
 * `axes` of a tensor of rank `rank`.
 */
export function expandToAxes(
  ops: OpTable,
  scale: Expr,
  rank: number,
  axes: ReadonlyArray<number>,
  span?: Span,
): Expr {
  return axes.reduceRight<Expr>((expanded, axis, at) => {
    const missing = (axes[at + 1] ?? rank) - axis - 1;
    if (missing === 0) return expanded;
    const attrs = { axis: at + 1, num_newaxis: missing };
    return callOp(ops, 'expand_dims', [expanded], attrs, span);
  }, scale);
}

/**
 * Aligns `scale` with `axes` of a weight of type `weight`. Along two axes (an axis and its blocks)
 * it is reshaped, since the weight's blocks may differ in size from the scale's; an equation holds
 * there only if the weight's sizes are known.
 */
export function layAlongWeight(
  ops: OpTable,
  scale: Expr,
  weight: Type,
  axes: ReadonlyArray<number>,
  span?: Span,
): Expr {
  const dims = dimsOf(weight);
  invariant(dims !== undefined, 'a weight that takes a scale has a known rank');
  if (axes.length === 1) return expandToAxes(ops, scale, dims.length, axes, span);
  const newshape = dims.map((dim, axis) => {
    if (!axes.includes(axis)) return 1;
    invariant(typeof dim === 'number', 'a weight with blocks that takes a scale has known sizes');
    return dim;
  });
  return callOp(ops, 'reshape', [scale], { newshape }, span);
}

/**
 * Whether a tensor of type `operand` is a scale along `axes` of one of type `scaled`: it varies
 * only along them, or is a scalar.
 */
export function isScaleAlong(
  scaled: Type | undefined,
  operand: Type | undefined,
  axes: ReadonlyArray<number>,
): boolean {
  if (dimsOf(operand)?.length === 0) return staticDims(scaled, axes) !== undefined;
  return variesOnlyAlong(scaled, operand, axes);
}

/**
 * The scale in `operand` along `axes` of a tensor of type `scaled`, with one axis for each of them:
 * other axes of size 1 are squeezed, a scalar is broadcast.
 */
export function scaleAlong(
  ops: OpTable,
  scaled: Type,
  operand: Expr,
  operandType: Type,
  axes: ReadonlyArray<number>,
  span?: Span,
): Expr {
  const dims = dimsOf(operandType) ?? [];
  if (dims.length === 0) return repeatedScalar(ops, operand, staticDims(scaled, axes) ?? [], span);
  const added = (dimsOf(scaled)?.length ?? 0) - dims.length;
  const axis = dims.flatMap((_, at) => (axes.includes(at + added) ? [] : [at]));
  return axis.length === 0 ? operand : callOp(ops, 'squeeze', [operand], { axis }, span);
}

function repeatedScalar(
  ops: OpTable,
  operand: Expr,
  sizes: ReadonlyArray<number>,
  span: Span | undefined,
): Expr {
  const attrs = { axis: 0, num_newaxis: sizes.length };
  const vector: Expr = callOp(ops, 'expand_dims', [operand], attrs, span);
  return sizes.reduce<Expr>(
    (repeated, repeats, axis) =>
      repeats === 1 ? repeated : callOp(ops, 'repeat', [repeated], { repeats, axis }, span),
    vector,
  );
}
