import type { Expr } from '@baton/ir';
import { productOfMany } from '../../bounds/rules.ts';
import { scanning } from '../../families/scan.ts';

export const cumprod = scanning({
  name: 'cumprod',
  doc: 'The product of all elements up to each element, without itself if `exclusive`.',
  combine: 'mul',
  numerics: 'exact',
  domain: [[-1, 1]],
  bounds: productOfMany,
  // Products of 1, 2, 4, … neighbours, so that nothing is divided by an element.
  definition: ({ args: [x], attrs: { axis: along, dtype, exclusive }, resultSizes, ...d }) => {
    const shape = resultSizes();
    const axis = along === null ? 0 : along < 0 ? along + shape.length : along;
    const length = shape[axis] ?? 0;
    const wide = dtype === null ? x : d.op('cast', [x], { dtype });
    const one = d.op('cast_like', [d.number(1), wide]);
    const later = (a: Expr, by: number) => {
      const width = shape.map((_, i) => (i === axis ? [by, -by] : [0, 0]));
      return d.op('nn.pad', [a, one], { pad_width: width });
    };
    let product = d.reshape(wide, shape);
    if (exclusive && length > 0) product = later(product, 1);
    for (let by = 1; by < length; by *= 2) product = d.times(product, later(product, by));
    return product;
  },
});
