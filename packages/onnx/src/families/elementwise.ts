/** Operators of any number of tensors, element by element. */
import type { Expr } from '@baton/ir';
import type { NodeContext, OnnxImporter } from '../operator-api/importer.ts';

/** The particulars of an elementwise operator. */
export interface ElementwiseParts {
  readonly opType: string;
  /** The first supported version. */
  readonly since: number;
  /** The Baton operator. */
  readonly op: string;
}

/** An operator of at least one tensor, which broadcast from operator set 8 on. */
export const variadic = ({ opType, since, op }: ElementwiseParts): OnnxImporter => ({
  opType,
  since,
  convert: (context) => combineInputs(context, op),
});

/** All inputs of a node, combined from the left. */
export function combineInputs(context: NodeContext, op: string): Expr {
  let result = context.input(0);
  for (let index = 1; index < context.inputCount; index++) {
    const next = context.optional(index);
    if (next !== undefined) result = context.call(op, [result, next]);
  }
  return result;
}
