/** The order in which inference visits expressions: operands first, a let's value before its body. */
import type { Expr, Func, Let, Match } from '../expr/expr.ts';

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
export function typedPart(node: Expr, index: number): Expr | undefined {
  switch (node._tag) {
    case 'Call':
      if (index < node.args.length) return node.args[index];
      return index === node.args.length && node.op._tag !== 'Op' ? node.op : undefined;
    case 'Tuple':
      return node.fields[index];
    case 'TupleGetItem':
      return index === 0 ? node.tuple : undefined;
    case 'Function':
      return index === 0 ? node.body : undefined;
    case 'Let':
      if (index === 0) return node.value;
      return index === 1 ? node.body : undefined;
    case 'If':
      if (index === 0) return node.cond;
      if (index === 1) return node.trueBranch;
      return index === 2 ? node.falseBranch : undefined;
    case 'Match':
      return index === 0 ? node.data : node.clauses[index - 1]?.body;
    case 'RefCreate':
      return index === 0 ? node.value : undefined;
    case 'RefRead':
      return index === 0 ? node.ref : undefined;
    case 'RefWrite':
      if (index === 0) return node.ref;
      return index === 1 ? node.value : undefined;
    case 'Var':
    case 'GlobalVar':
    case 'Constant':
    case 'Op':
    case 'Constructor':
    case 'TempExpr':
      return undefined;
  }
}
