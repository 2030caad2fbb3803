/** The parts of a node as inference sees them, and whether it is typed as soon as they are. */
import { childAt, children, patternVars } from '../../expr/children.ts';
import type { Expr, Var } from '../../expr/expr.ts';
import { isClosed } from '../../types/type.ts';

/** As `children`, but without an operator that is called. */
export const typedParts = (node: Expr): ReadonlyArray<Expr> =>
  node._tag === 'Call' && node.op._tag === 'Op' ? node.args : children(node);

/**
 * Part `index` of a node, `undefined` beyond the last of {@link typedParts}.
 */
export const typedPart = (node: Expr, index: number): Expr | undefined =>
  node._tag === 'Call' && index === node.args.length && node.op._tag === 'Op'
    ? undefined
    : childAt(node, index);

/** Whether a variable states its type in full. */
export const isAnnotated = ({ typeAnnotation }: Var): boolean =>
  typeAnnotation !== undefined && isClosed(typeAnnotation);

/** Whether all that a node binds or mentions by name has a type, so that nothing in it is open. */
export function isPlain(node: Expr, hasSignature: (name: string) => boolean): boolean {
  switch (node._tag) {
    case 'Constant':
      return node.literal === undefined;
    case 'Let':
      return isAnnotated(node.variable);
    case 'Match':
      return node.clauses.every((one) => patternVars(one.pattern).every(isAnnotated));
    case 'Function':
      return node.params.every(isAnnotated);
    case 'GlobalVar':
      return hasSignature(node.nameHint);
    default:
      return true;
  }
}
