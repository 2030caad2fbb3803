/** The gradients of scatters, for each way of combining updates with the data. */
import type { Expr } from '@baton/ir';
import type { DefinitionSite } from '../definition/site.ts';
import type { GradientSite } from './column.ts';

/** A scatter of other data and updates, and gathers at its indices. */
export interface Scatter {
  readonly joined: (data: Expr, updates: Expr, way: string) => Expr;
  readonly at: (from: Expr) => Expr;
}

/**
 * The gradients of the data and the updates. Equal extremes get equal shares, and of several plain
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
      // The product of the other elements: of those that are not 0, or 0 if another one is 0. Its
      // derivative is right if no element is 0; the definition, which needs sizes, is right
      // everywhere.
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
 * A scatter of products: sorts the updates by index and multiplies those of one index, 1, 2, 4, …
 * neighbours at a time, without a division.
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
  // The last update at each index holds the product of all.
  const ones = op('ones_like', [reshape(data, [count])]);
  const all = op('scatter_elements', [ones, places, product], { axis: 0, reduction: 'update' });
  return times(data, reshape(all, sizes(0)));
}
