/** `Clip`: bounds are attributes before 11, optional inputs from 11 on. */
import type { Expr } from '@baton/ir';
import { isBig, readNumber } from '@baton/tensor';
import type { NodeContext, OnnxImporter } from '../operator-api/importer.ts';

export const clip: OnnxImporter = {
  opType: 'Clip',
  since: 6,
  convert: (context) => {
    const x = context.input(0);
    const least = bound(context, 'min', 1);
    const most = bound(context, 'max', 2);
    const a_min = constantBound(context, least);
    const a_max = constantBound(context, most);
    if (a_min !== undefined && a_max !== undefined) {
      return context.call('clip', [x], { a_min, a_max });
    }
    const raised =
      least === undefined || isInfinite(context, least, -Infinity)
        ? x
        : context.call('maximum', [x, least]);
    return most === undefined || isInfinite(context, most, Infinity)
      ? raised
      : context.call('minimum', [raised, most]);
  },
};

/** A bound as an expression, if there is one. */
function bound(context: NodeContext, name: string, index: number): Expr | undefined {
  if (context.version >= 11) return context.optional(index);
  if (!context.attributes.has(name)) return undefined;
  return context.scalar(context.attributes.float(name, 0), context.dtypeOf(context.input(0)));
}

/** Whether a bound bounds nothing. */
function isInfinite(context: NodeContext, expr: Expr, infinity: number): boolean {
  const value = context.valueOf(expr);
  return value?.shape.length === 0 && readNumber(value, 0) === infinity;
}

/** A bound as a number, if that is exact. */
function constantBound(context: NodeContext, expr: Expr | undefined): number | undefined {
  const value = expr === undefined ? undefined : context.valueOf(expr);
  if (value === undefined || value.shape.length > 0) return undefined;
  const number = readNumber(value, 0);
  return Number.isFinite(number) && (!isBig(value.dtype) || Number.isSafeInteger(number))
    ? number
    : undefined;
}
