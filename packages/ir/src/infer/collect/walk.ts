/** The order in which inference visits expressions: operands first, a let's value before its body. */
import { childAt } from '../../expr/children.ts';
import type { Expr, Func, Let, Match } from '../../expr/expr.ts';

/** What a walk does. */
export interface Visitor {
  /** Whether the node has to be visited; asked again at every use. */
  readonly needed: (node: Expr) => boolean;
  /**
   * Before part `index` of a node that binds variables: a function's body, a let's value and its
   * body, the first clause of a match.
   */
  readonly before: (node: Func | Let | Match, index: number) => void;
  /** After the parts of a node. */
  readonly complete: (node: Expr) => void;
}

/** Visits what is needed of an expression. **Complexity** linear in nodes and edges visited. */
export function walk(root: Expr, visitor: Visitor): void {
  if (!visitor.needed(root)) return;
  const nodes: Expr[] = [root];
  const positions: number[] = [0];
  for (let node = nodes.at(-1); node !== undefined; node = nodes.at(-1)) {
    const top = nodes.length - 1;
    const at = positions[top] as number;
    if (binds(node, at)) visitor.before(node, at);
    const part = typedPart(node, at);
    positions[top] = at + 1;
    if (part === undefined) {
      nodes.pop();
      positions.pop();
      visitor.complete(node);
    } else if (visitor.needed(part)) {
      nodes.push(part);
      positions.push(0);
    }
  }
}

function binds(node: Expr, index: number): node is Func | Let | Match {
  switch (node._tag) {
    case 'Function':
      return index === 0;
    case 'Let':
      return index < 2;
    case 'Match':
      return index === 1;
    default:
      return false;
  }
}

/**
 * Part `index` of a node as inference sees it, `undefined` beyond the last: as `children`, but an
 * operator that is called has no type of its own.
 */
export const typedPart = (node: Expr, index: number): Expr | undefined =>
  node._tag === 'Call' && index === node.args.length && node.op._tag === 'Op'
    ? undefined
    : childAt(node, index);
