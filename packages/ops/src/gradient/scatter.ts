/** The gradients of scatters, whose updates join the data in one of several ways. */
import type { Expr } from '@baton/ir';
import type { DefinitionSite } from '../definition/site.ts';
import type { GradientSite } from './column.ts';

/** A scatter of the data and the updates that are given, and what is gathered at its places. */
export interface Scatter {
  /** The scatter with this way of joining. */
  readonly joined: (data: Expr, updates: Expr, way: string) => Expr;
  /** The elements at the places of the updates. */
  readonly at: (from: Expr) => Expr;
}

/**
 * The gradients of the data and the updates. Of equal extremes each gets an equal share, and of
 * updates of one element the last gets all.
 */
export function scatterGradient(
  site: GradientSite<unknown>,
  way: string,
  { joined, at }: Scatter,
): ReadonlyArray<Expr | undefined> {
  const { args, g, result, zerosLike, op, times, over, plus, isEqual, sizes, reshape } = site;
  const { integers } = site;
  const [data, , updates] = args;
  const ones = (of: Expr): Expr => op('ones_like', [of]);
  switch (way) {
    case 'add':
      return [g, undefined, at(g)];
    case 'update': {
      const count = sizes(2).reduce((a, b) => a * b, 1);
      const order = reshape(integers(Array.from({ length: count }, (_, i) => i)), sizes(2));
      const none = op('cast', [zerosLike(data)], { dtype: 'int64' });
      const isLast = op('equal', [at(joined(none, order, 'update')), order]);
      const own = times(at(g), op('cast_like', [isLast, updates]));
      return [joined(g, zerosLike(updates), 'update'), undefined, own];
    }
    case 'mean': {
      const share = over(g, joined(ones(data), ones(updates), 'add'));
      return [share, undefined, at(share)];
    }
    case 'min':
    case 'max': {
      const [ofData, ofUpdates] = [isEqual(data, result), isEqual(updates, at(result))];
      const share = over(g, joined(ofData, ofUpdates, 'add'));
      return [times(share, ofData), undefined, times(at(share), ofUpdates)];
    }
    default: {
      // The product of the others: of all that are not 0, unless another one is 0. Its own derivative
      // is right where no element is 0; the definition, which needs sizes, is right everywhere.
      const zero = (of: Expr): Expr => isEqual(of, zerosLike(of));
      const zeros = joined(zero(data), zero(updates), 'add');
      const product = joined(plus(data, zero(data)), plus(updates, zero(updates)), 'mul');
      const others = (own: Expr, all: Expr, none: Expr): Expr => {
        const isOnly = isEqual(none, zero(own));
        return times(isOnly, over(all, plus(own, zero(own))));
      };
      return [
        times(g, others(data, product, zeros)),
        undefined,
        times(at(g), others(updates, at(product), at(zeros))),
      ];
    }
  }
}

/**
 * A scatter of products: the updates are sorted by their places, and those of one place multiplied,
 * 1, 2, 4, … neighbours at a time, so that no element is divided by.
 */
export function scatterProduct(
  { args, sizes, integers, reshape, times, op, number }: DefinitionSite<unknown>,
  { at }: Pick<Scatter, 'at'>,
): Expr {
  const [data, , updates] = args;
  const [count, length] = [sizes(0), sizes(2)].map((shape) => shape.reduce((a, b) => a * b, 1)) as [
    number,
    number,
  ];
  const own = reshape(integers(Array.from({ length: count }, (_, i) => i)), sizes(0));
  const unsorted = reshape(at(own), [length]);
  const order = op('argsort', [unsorted], { axis: 0, dtype: 'int64' });
  const sorted = (of: Expr): Expr => op('gather', [of, order], { axis: 0 });
  const places = sorted(unsorted);
  const one = number(1);
  const none = op('cast', [number(-1)], { dtype: 'int64' });
  let product = sorted(reshape(updates, [length]));
  for (let by = 1; by < length; by *= 2) {
    const later = (of: Expr, value: Expr): Expr =>
      op('nn.pad', [of, value], { pad_width: [[by, -by]] });
    const isSame = op('equal', [places, later(places, none)]);
    product = times(product, op('where', [isSame, later(product, one), one]));
  }
  // The last of each place has the product of all.
  const ones = op('ones_like', [reshape(data, [count])]);
  const all = op('scatter_elements', [ones, places, product], { axis: 0, reduction: 'update' });
  return times(data, reshape(all, sizes(0)));
}
