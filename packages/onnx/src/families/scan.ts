/** Sums and products of all elements up to each place, along a constant axis, from either end. */
import type { Expr } from '@baton/ir';
import type { OnnxImporter } from '../operator-api/importer.ts';

/** The scan that an operator of Baton does from the front. */
export const scan = (opType: string, op: string): OnnxImporter => ({
  opType,
  convert: (context) => {
    const x = context.input(0);
    const [given = 0] = context.ints(1) ?? [];
    const axis = context.axis(given, context.dimsOf(x).length);
    if (context.hasFailed()) return undefined;
    const exclusive = context.attributes.int('exclusive') !== 0;
    const isReversed = context.attributes.int('reverse') !== 0;
    const turned = (data: Expr): Expr =>
      isReversed ? context.call('reverse', [data], { axis }) : data;
    return turned(context.call(op, [turned(x)], { axis, exclusive }));
  },
});
