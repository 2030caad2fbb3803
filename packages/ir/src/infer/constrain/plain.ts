/** Which nodes have a type as soon as their parts have. */
import { patternVars } from '../../expr/children.ts';
import type { Expr } from '../../expr/expr.ts';
import { isAnnotated, somePart } from '../collect/part.ts';

/** What is known around a node. */
export interface Known {
  readonly isKnown: (part: Expr) => boolean;
  /** Whether a global has a signature. */
  readonly hasSignature: (name: string) => boolean;
}

/** Whether the parts of a node are known, and what it binds, and nothing of its own is open. */
export function isPlain(node: Expr, known: Known): boolean {
  if (somePart(node, (part) => !known.isKnown(part))) return false;
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
      return known.hasSignature(node.nameHint);
    default:
      return true;
  }
}
