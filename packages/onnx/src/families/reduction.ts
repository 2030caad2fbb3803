/** The Reduce operators: their axes were an attribute first, and became an input later. */
import type { Expr } from '@baton/ir';
import type { NodeContext, OnnxImporter } from '../operator-api/importer.ts';
import { ofType, widened } from './wide.ts';

/** The particulars of a reduction. */
export interface ReductionParts {
  readonly opType: string;
  /** The version from which the axes are an input. */
  readonly axesInputSince: number;
  /** The Baton reduction. */
  readonly op: string;
  /** The operation on each element before. */
  readonly before?: (context: NodeContext, x: Expr) => Expr;
  /** The operation on each result. */
  readonly after?: (context: NodeContext, x: Expr) => Expr;
}

/** An operator that reduces over axes. */
export const reduction = (parts: ReductionParts): OnnxImporter => ({
  opType: parts.opType,
  convert: (context) => {
    const { attributes } = context;
    const fromInput = context.version >= parts.axesInputSince;
    const given = fromInput ? context.ints(1) : attributes.ints('axes');
    if (context.hasFailed()) return undefined;
    const x = context.input(0);
    // A single call rounds once: only what is made of several leaves the type on the way.
    const isOneCall = parts.before === undefined && parts.after === undefined;
    const data = isOneCall ? x : widened(context, x);
    const before = parts.before?.(context, data) ?? data;
    const empty = given === undefined || given.length === 0;
    const isNoop = empty && attributes.int('noop_with_empty_axes') !== 0;
    const keepdims = attributes.int('keepdims') !== 0;
    const reduced = isNoop
      ? before
      : context.call(parts.op, [before], { axis: empty ? null : given, keepdims });
    const result = parts.after?.(context, reduced) ?? reduced;
    return ofType(context, result, context.dtypeOf(x));
  },
});
