/**
 * Where the nodes of a function are evaluated, and when (decision
 * [D15](https://batonjs.github.io/baton/spec/decisions#D15)).
 *
 * A scope is what runs as one: a function's body, a branch of an `if`, the right side of a clause.
 * A node belongs to the innermost scope that holds all its uses. Most nodes are computed where
 * they are first written; a shared one that is first met further inside than it belongs is a
 * *shared node of its own*, which is computed at its first demand, whichever that is.
 */
import {
  binders,
  children,
  commonScope,
  type Expr,
  type Func,
  innerScope,
  rootScope,
  type Scope,
  sortOf,
  type Var,
} from '@baton/ir';

/**
 * How a node is computed:
 * - `once`: it has one use, and is computed for it;
 * - `first`: computed at its first use, which comes before all others, and kept;
 * - `demand`: at whichever use comes first in the run;
 * - `tail`: all its uses are the last thing their function does, so they jump to it.
 */
export type Placement = 'once' | 'first' | 'demand' | 'tail';

/** What is known about the nodes of a global function. */
export interface Analysis {
  readonly placementOf: (node: Expr) => Placement;
  /** How often a node or a variable is used. */
  readonly usesOf: (node: Expr) => number;
  /** The function in whose activation a node is evaluated. */
  readonly homeOf: (node: Expr) => Func;
  /** Whether nodes of this function's activations are demanded by functions inside. */
  readonly sharesSlots: (func: Func) => boolean;
  /** The variables that a let gives a function: what the function's name means inside. */
  readonly namesOf: (func: Func) => ReadonlyArray<Var>;
  /** The function that a let gives to a variable, written out in the let. */
  readonly functionOf: (variable: Var) => Func | undefined;
}

/** A node's record; filled in from its users. */
interface Info {
  uses: number;
  scope: Scope | undefined;
  /** The scope of the first use in the text. */
  firstScope: Scope | undefined;
  readonly firstUser: Expr | undefined;
  readonly firstIndex: number;
  /** Whether all uses so far are the last thing that one function does. */
  isTail: boolean;
  /** Whether uses lie in different functions. */
  crosses: boolean;
  func: Func;
  placement: Placement;
}

/** Whether the node needs no computation. */
export const isAtom = (node: Expr): boolean => sortOf(node) !== 'compound';

/**
 * Analyses a global function. `endsInCheck` tells of functions whose result is checked when they
 * return, so that no call in them is the last thing they do.
 *
 * **Complexity** O(log depth) an edge.
 */
export function analyse(root: Func, endsInCheck: (func: Func) => boolean): Analysis {
  const infos = new Map<Expr, Info>();
  const variables = new Map<Var, number>();
  const functions = new Map<Scope, Func>();
  const sharing = new Set<Func>();
  const names = new Map<Func, Var[]>();
  const named = new Map<Var, Func>();

  const scopeIn = (outer: Scope, func: Func): Scope => {
    const scope = innerScope(outer);
    functions.set(scope, func);
    return scope;
  };
  const funcOf = (scope: Scope): Func => functions.get(scope) ?? root;

  const use = (node: Expr, scope: Scope, isTail: boolean, user: Expr | undefined, i: number) => {
    if (node._tag === 'Var') variables.set(node, (variables.get(node) ?? 0) + 1);
    const info = infos.get(node);
    if (info === undefined) return;
    const func = funcOf(scope);
    if (info.scope === undefined) {
      info.scope = scope;
      info.func = func;
      info.isTail = isTail;
    } else {
      info.crosses ||= info.func !== func;
      info.scope = commonScope(info.scope, scope) ?? scope;
      info.isTail &&= isTail;
    }
    info.uses += 1;
    if (info.firstUser === user && info.firstIndex === i) info.firstScope = scope;
  };

  const order = visit(root, infos);
  const start = rootScope();
  functions.set(start, root);
  use(root.body, start, !endsInCheck(root), undefined, 0);
  for (let n = order.length - 1; n >= 0; n--) {
    const node = order[n] as Expr;
    const info = infos.get(node) as Info;
    const home = info.scope ?? start;
    info.func = funcOf(home);
    info.placement = placementOf(info, home);
    if (info.placement === 'demand' && info.crosses) sharing.add(info.func);
    const ownScope = info.placement === 'demand' || info.placement === 'tail';
    const inner = ownScope ? scopeIn(home, info.func) : home;
    const endsHere = info.isTail && (info.placement === 'once' || info.placement === 'tail');
    children(node).forEach((child, i) => {
      if (node._tag === 'Function') use(child, scopeIn(inner, node), !endsInCheck(node), node, i);
      else if (isBranch(node, i)) use(child, scopeIn(inner, info.func), endsHere, node, i);
      else use(child, inner, endsHere && node._tag === 'Let' && i === 1, node, i);
    });
    if (node._tag === 'Let' && node.value._tag === 'Function') {
      names.set(node.value, [...(names.get(node.value) ?? []), ...binders(node)]);
      named.set(node.variable, node.value);
    }
  }
  return {
    placementOf: (node) => infos.get(node)?.placement ?? 'once',
    usesOf: (node) => (node._tag === 'Var' ? variables.get(node) : infos.get(node)?.uses) ?? 0,
    homeOf: (node) => infos.get(node)?.func ?? root,
    sharesSlots: (func) => sharing.has(func),
    namesOf: (func) => names.get(func) ?? [],
    functionOf: (variable) => named.get(variable),
  };
}

function placementOf(info: Info, home: Scope): Placement {
  if (info.uses <= 1) return 'once';
  if (info.firstScope === home) return 'first';
  return info.isTail && !info.crosses ? 'tail' : 'demand';
}

const isBranch = (node: Expr, index: number): boolean =>
  (node._tag === 'If' || node._tag === 'Match') && index > 0;

/**
 * The nodes that need computing, children first, as a left-to-right walk completes them. Each gets
 * a record that names the use through which the walk came to it: the first in writing.
 */
function visit(root: Func, infos: Map<Expr, Info>): ReadonlyArray<Expr> {
  const order: Expr[] = [];
  const nodes: Expr[] = [];
  const below: ReadonlyArray<Expr>[] = [];
  const position: number[] = [];
  const enter = (node: Expr, firstUser: Expr | undefined, firstIndex: number): void => {
    if (isAtom(node) || infos.has(node)) return;
    infos.set(node, {
      uses: 0,
      scope: undefined,
      firstScope: undefined,
      firstUser,
      firstIndex,
      isTail: false,
      crosses: false,
      func: root,
      placement: 'once',
    });
    nodes.push(node);
    below.push(children(node));
    position.push(0);
  };
  enter(root.body, undefined, 0);
  while (nodes.length > 0) {
    const top = nodes.length - 1;
    const at = position[top] as number;
    const siblings = below[top] as ReadonlyArray<Expr>;
    if (at < siblings.length) {
      position[top] = at + 1;
      enter(siblings[at] as Expr, nodes[top], at);
    } else {
      order.push(nodes.pop() as Expr);
      below.pop();
      position.pop();
    }
  }
  return order;
}
