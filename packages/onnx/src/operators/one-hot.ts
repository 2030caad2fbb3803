/** `OneHot` of a constant depth; negative indices count from the end. */
import type { Expr } from '@baton/ir';
import { loneNumber } from '../families/lone-number.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const oneHot: OnnxImporter = {
  opType: 'OneHot',
  convert: (context) => {
    const depth = loneNumber(context, context.input(1));
    if (depth === undefined) {
      return context.unknown('expected a constant depth as input 1');
    }
    const count = Math.trunc(depth);
    const indices = context.call('cast', [context.input(0)], { dtype: 'int64' });
    const isNegative = context.call('less', [indices, 0]);
    const fromEnd = context.call('add', [indices, count]);
    const places = context.call('where', [isNegative, fromEnd, indices]);
    const values = context.input(2);
    const value = (index: number): Expr =>
      context.call('take', [values, context.scalar(index, 'int64')], { axis: 0 });
    return context.call('one_hot', [places, value(1), value(0)], {
      depth: count,
      axis: context.attributes.int('axis'),
      dtype: context.dtypeOf(values),
    });
  },
};
