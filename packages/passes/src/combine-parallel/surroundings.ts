/** The surroundings of the calls of a function: their users, and the scopes of their parts. */
import {
  children,
  commonScope,
  type Expr,
  encloses,
  type Func,
  foldExpr,
  type IRModule,
  nodeScopes,
  opensBlock,
  patternVars,
  postOrderExprs,
  type Scope,
  type ScopePlace,
  type Var,
} from '@baton/ir';
import { visibleIn } from '@baton/pass-manager';

export interface Surroundings {
  readonly m: IRModule;
  /** The nodes that passes see, each after its parts. */
  readonly visible: ReadonlySet<Expr>;
  /** All nodes, each after its parts. */
  readonly order: ReadonlyArray<Expr>;
  /** Whether a node stays as it is, with all that is below it. */
  readonly isKept: (node: Expr) => boolean;
  readonly onlyUser: (node: Expr) => Expr | undefined;
  /** The body, branch or clause in which a node is evaluated. */
  readonly blockOf: (node: Expr) => Scope;
  readonly homeOf: (nodes: ReadonlyArray<Expr>) => Scope;
  readonly isKnownIn: (node: Expr, scope: Scope) => boolean;
}

/** **Complexity** O(log depth) an edge. */
export function surroundingsOf(f: Func, m: IRModule): Surroundings {
  const { order: visible, isKept } = visibleIn(f.body, m);
  const order = postOrderExprs([f.body]);
  const users = new Map<Expr, Expr | 'several'>();
  for (const user of order) {
    for (const part of new Set(children(user))) {
      users.set(part, users.has(part) ? 'several' : user);
    }
  }
  const scopes = nodeScopes(f.body);
  const blocks = nodeScopes(f.body, opensBlock);
  const scopeOf = (node: Expr): Scope => scopes.scopeOf(node) ?? scopes.root;
  const bound = new Map<Var, Scope>();
  for (const [scope, place] of scopes.opened()) for (const v of boundAt(place)) bound.set(v, scope);
  // All variables of a node are bound in scopes around it, so one of these scopes is the innermost.
  const needed = foldExpr<Scope>(order, (node, get) => {
    if (node._tag === 'Var') return bound.get(node) ?? scopes.root;
    const inner = children(node).map((part) => get(part) ?? scopes.root);
    const deepest = inner.reduce((a, b) => (b.depth > a.depth ? b : a), scopes.root);
    return deepest.depth > scopeOf(node).depth ? scopeOf(node) : deepest;
  });
  return {
    m,
    visible: new Set(visible),
    order,
    isKept,
    onlyUser: (node) => {
      const user = users.get(node);
      return user === 'several' ? undefined : user;
    },
    blockOf: (node) => blocks.scopeOf(node) ?? blocks.root,
    homeOf: (nodes) => nodes.map(scopeOf).reduce((a, b) => commonScope(a, b) ?? scopes.root),
    isKnownIn: (node, scope) => encloses(needed.get(node) ?? scopes.root, scope),
  };
}

function boundAt({ node, index }: ScopePlace): ReadonlyArray<Var> {
  switch (node._tag) {
    case 'Let':
      return [node.variable];
    case 'Function':
      return node.params;
    case 'Match': {
      const clause = node.clauses[index - 1];
      return clause === undefined ? [] : patternVars(clause.pattern);
    }
    default:
      return [];
  }
}
