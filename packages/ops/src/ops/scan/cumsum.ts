import type { Expr } from '@baton/ir';
import { sumOfMany } from '../../bounds/rules.ts';
import { scanning } from '../../families/scan.ts';

export const cumsum = scanning({
  name: 'cumsum',
  doc: 'The sum of all elements up to each element, without itself if `exclusive`.',
  combine: 'add',
  numerics: 'exact',
  bounds: sumOfMany,
  // The sum from the end.
  gradient: ({ args: [x], g, attrs: { axis, exclusive }, op, reshapeLike }) => {
    const backwards = (a: Expr) => op('reverse', [a], { axis: axis ?? 0 });
    const total = op('cumsum', [backwards(g)], { axis: axis ?? 0, exclusive });
    return [reshapeLike(op('cast_like', [backwards(total), x]), x)];
  },
});
