/** The parts of a node as inference sees them. */
import { childAt, children } from '../../expr/children.ts';
import type { Expr, Var } from '../../expr/expr.ts';
import { isClosed } from '../../types/type.ts';

/**
 * Part `index` of a node, `undefined` beyond the last: as `childAt`, but an operator that is called
 * has no type of its own.
 */
export const typedPart = (node: Expr, index: number): Expr | undefined =>
  node._tag === 'Call' && index === node.args.length && node.op._tag === 'Op'
    ? undefined
    : childAt(node, index);

/** All of them. */
export const typedParts = (node: Expr): ReadonlyArray<Expr> =>
  node._tag === 'Call' && node.op._tag === 'Op' ? node.args : children(node);

/** Whether `test` holds for some part of a node. */
export function somePart(node: Expr, test: (part: Expr) => boolean): boolean {
  for (let i = 0, part = typedPart(node, 0); part !== undefined; part = typedPart(node, ++i)) {
    if (test(part)) return true;
  }
  return false;
}

/** Whether a variable states its type in full. */
export const isAnnotated = ({ typeAnnotation }: Var): boolean =>
  typeAnnotation !== undefined && isClosed(typeAnnotation);
