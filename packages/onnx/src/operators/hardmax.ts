/** `Hardmax`: 1 at the first greatest element along an axis, before 13 over all axes from it on, 0 elsewhere. */
import type { Expr } from '@baton/ir';
import { overTrailingAxes } from '../families/softmax.ts';
import type { NodeContext, OnnxImporter } from '../operator-api/importer.ts';

export const hardmax: OnnxImporter = {
  opType: 'Hardmax',
  convert: (context) => {
    const x = context.input(0);
    const rank = context.dimsOf(x).length;
    const given = context.attributes.int('axis', context.version < 13 ? 1 : -1);
    // Before 13, axis = rank is legal, and leaves no axis.
    const isEnd = context.version < 13 && given === rank;
    const axis = isEnd ? given : context.axis(given, rank);
    if (context.hasFailed()) return undefined;
    const along = (data: Expr, at: number): Expr | undefined => greatest(context, data, at);
    return context.version < 13 ? overTrailingAxes(context, x, axis, along) : along(x, axis);
  },
};

/** 1 at the first greatest element along an axis. */
function greatest(context: NodeContext, x: Expr, axis: number): Expr | undefined {
  const dims = context.dimsOf(x);
  const depth = dims[context.axis(axis, dims.length)];
  if (typeof depth !== 'number') {
    return context.unknown(`expected a known size of axis ${axis}`);
  }
  const dtype = context.dtypeOf(x);
  const place = context.call('argmax', [x], { axis });
  const [on, off] = [context.scalar(1, dtype), context.scalar(0, dtype)];
  return context.call('one_hot', [place, on, off], { depth, axis, dtype });
}
