/** Indices of elements, for the gradients of movements and gathers. */
import type { Expr } from '@baton/ir';
import { rowMajorStrides, type Shape, shapeSize } from '@baton/tensor';
import type { DefinitionSite } from '../definition/site.ts';
import type { GradientSite } from './column.ts';

/**
 * The gradient of an argument whose elements a call only moves, copies and drops. `moved` builds
 * the call with the elements' indices in place of the argument; the gradient of an element is the
 * sum over the positions to which its index was moved.
 */
export function movedBack(
  { args: [x], g, sizes, integers, reshape, reshapeLike, op, zerosLike }: GradientSite<unknown>,
  moved: (places: Expr) => Expr,
): Expr {
  const count = sizes(0).reduce((a, b) => a * b, 1);
  const places = reshape(integers(Array.from({ length: count }, (_, i) => i)), sizes(0));
  const flat = (a: Expr): Expr => reshape(a, [-1]);
  const zeros = flat(zerosLike(x));
  const summed = op('scatter_elements', [zeros, flat(moved(places)), flat(g)], {
    axis: 0,
    reduction: 'add',
  });
  return reshapeLike(summed, x);
}

/** An index, from the end if it is negative, clamped to an axis, and whether it was in range. */
export function placeWithin(
  { op, plus, scalar }: DefinitionSite<unknown>,
  index: Expr,
  dim: number,
): { readonly within: Expr; readonly isKnown: Expr } {
  const [zero, last] = [scalar(0, 'int64'), scalar(dim - 1, 'int64')];
  const wide = op('cast', [index], { dtype: 'int64' });
  const fromEnd = plus(wide, scalar(dim, 'int64'));
  const place = op('where', [op('less', [wide, zero]), fromEnd, wide]);
  const within = op('minimum', [op('maximum', [place, zero]), last]);
  return { within, isKnown: op('equal', [place, within]) };
}

/** An index, from the end if it is negative, clamped to an axis. */
export const clippedPlace = (site: DefinitionSite<unknown>, index: Expr, dim: number): Expr =>
  placeWithin(site, index, dim).within;

/** The offsets of a grid's elements, with a stride for each axis. */
export function gridStarts(shape: Shape, strideOf: (axis: number) => number): Shape {
  const steps = rowMajorStrides(shape);
  return Array.from({ length: shapeSize(shape) }, (_, at) =>
    shape.reduce(
      (sum, dim, axis) => sum + (Math.floor(at / (steps[axis] ?? 1)) % dim) * strideOf(axis),
      0,
    ),
  );
}

/**
 * The element of the first argument at each index of a shape, with another index along one axis.
 * `place` broadcasts to the shape.
 */
export function takenAlong(
  { sizes, integers, reshape, op, plus, times, scalar }: DefinitionSite<unknown>,
  x: Expr,
  place: Expr,
  { shape, axis }: { readonly shape: Shape; readonly axis: number },
): Expr {
  const strides = rowMajorStrides(sizes(0));
  const others = gridStarts(shape, (at) => (at === axis ? 0 : (strides[at] ?? 0)));
  const along = times(place, scalar(strides[axis] ?? 0, 'int64'));
  return op('take', [reshape(x, [-1]), plus(reshape(integers(others), shape), along)]);
}
