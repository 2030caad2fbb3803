/** The parts of a node as inference sees them. */
import { children } from '../../expr/children.ts';
import type { Expr, Var } from '../../expr/expr.ts';
import { isClosed } from '../../types/type.ts';

/** As `children`, but an operator that is called has no type of its own. */
export const typedParts = (node: Expr): ReadonlyArray<Expr> =>
  node._tag === 'Call' && node.op._tag === 'Op' ? node.args : children(node);

/** Whether a variable states its type in full. */
export const isAnnotated = ({ typeAnnotation }: Var): boolean =>
  typeAnnotation !== undefined && isClosed(typeAnnotation);
