/** The gradient of any movement: the places of elements move as the elements do. */
import type { Expr } from '@baton/ir';
import type { GradientSite } from './column.ts';

/**
 * The gradient of an argument whose elements a call only moves, copies and drops: `moved` gives the
 * call with their places for the argument. Each element gets the sum over where its place went.
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
