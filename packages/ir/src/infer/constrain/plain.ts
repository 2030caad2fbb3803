/** Which nodes have a type as soon as their parts have. */
import { patternVars } from '../../expr/children.ts';
import type { Expr } from '../../expr/expr.ts';
import { isAnnotated } from '../collect/part.ts';

/** Whether all that a node binds or mentions by name has a type, so that nothing of its own is open. */
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
