/**
 * The scope and the time in which the nodes of a function are evaluated (decision
 * [D15](https://batonjs.github.io/baton/spec/decisions#D15)).
 *
 * A scope runs as one: a function's body, a branch of an `if`, the right side of a clause. A node
 * belongs to the innermost scope that holds all its uses. Most nodes are computed where they are
 * first written; a shared node whose first use is further inside than its scope is computed *on
 * demand*, at its first use in the run.
 */
import {
  children,
  commonScope,
  type Expr,
  type Func,
  freeVars,
  innerScope,
  type Let,
  rootScope,
  type Scope,
  sortOf,
  type Var,
} from '@baton/ir';
import { type FunctionNames, functionNames } from '../function-names.ts';

/**
 * The placement of a node's computation:
 * - `once`: at its only use;
 * - `first`: at its first use, which comes before all others, and kept;
 * - `demand`: at the first use in the run, whichever that is;
 * - `tail`: all its uses are in tail position of their function, so they jump to it.
 */
export type Placement = 'once' | 'first' | 'demand' | 'tail';

/** The facts about the nodes of a global function. */
export interface Analysis extends FunctionNames {
  /** The computed nodes, as a walk from left to right completes them. */
  readonly order: ReadonlyArray<Expr>;
  /** The number of nodes of `order` that a walk has completed as it comes to the body of a let. */
  readonly bodyStart: (node: Let) => number;
  /** The scope in which a node is evaluated; one on demand has its own scope. */
  readonly scopeOf: (node: Expr) => Scope;
  readonly placementOf: (node: Expr) => Placement;
  readonly usesOf: (node: Expr) => number;
  readonly homeOf: (node: Expr) => Func;
  /** Whether inner functions demand nodes of this function's activations. */
  readonly sharesSlots: (func: Func) => boolean;
  /** Whether they demand more of them than functions that read nothing around them. */
  readonly sharesValues: (func: Func) => boolean;
}

interface Info {
  uses: number;
  scope: Scope | undefined;
  ownScope: Scope | undefined;
  firstScope: Scope | undefined;
  readonly firstUser: Expr | undefined;
  readonly firstIndex: number;
  /** Whether all uses so far are in tail position of one function. */
  isTail: boolean;
  crosses: boolean;
  func: Func;
  placement: Placement;
}

/** Whether the node needs no computation. */
export const isAtom = (node: Expr): boolean => sortOf(node) !== 'compound';

/**
 * Analyses a global function. `endsInCheck` marks functions whose result is checked when they
 * return, so that no call in them is in tail position.
 *
 * **Complexity** O(log depth) an edge.
 */
export function analyse(root: Func, endsInCheck: (func: Func) => boolean): Analysis {
  const infos = new Map<Expr, Info>();
  const variables = new Map<Var, number>();
  const functions = new Map<Scope, Func>();
  const sharing = new Set<Func>();
  const sharingValues = new Set<Func>();

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

  const { order, bodyStarts } = visit(root, infos);
  const start = rootScope();
  functions.set(start, root);
  use(root.body, start, !endsInCheck(root), undefined, 0);
  for (let n = order.length - 1; n >= 0; n--) {
    const node = order[n] as Expr;
    const info = infos.get(node) as Info;
    const home = info.scope ?? start;
    info.func = funcOf(home);
    info.placement = placementOf(info, home);
    if (info.placement === 'demand' && info.crosses) {
      sharing.add(info.func);
      // A function that reads nothing around it is the same wherever it is called.
      const isClosed = node._tag === 'Function' && freeVars(node).length === 0;
      if (!isClosed) sharingValues.add(info.func);
    }
    const ownScope = info.placement === 'demand' || info.placement === 'tail';
    const inner = ownScope ? scopeIn(home, info.func) : home;
    info.ownScope = inner;
    const endsHere = info.isTail && (info.placement === 'once' || info.placement === 'tail');
    children(node).forEach((child, i) => {
      if (node._tag === 'Function') use(child, scopeIn(inner, node), !endsInCheck(node), node, i);
      else if (isBranch(node, i)) use(child, scopeIn(inner, info.func), endsHere, node, i);
      else use(child, inner, endsHere && node._tag === 'Let' && i === 1, node, i);
    });
  }
  return {
    order,
    bodyStart: (node) => bodyStarts.get(node) ?? 0,
    scopeOf: (node) => infos.get(node)?.ownScope ?? start,
    placementOf: (node) => infos.get(node)?.placement ?? 'once',
    usesOf: (node) => (node._tag === 'Var' ? variables.get(node) : infos.get(node)?.uses) ?? 0,
    homeOf: (node) => infos.get(node)?.func ?? root,
    sharesSlots: (func) => sharing.has(func),
    sharesValues: (func) => sharingValues.has(func),
    ...functionNames(order),
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
 * The computed nodes, children first, as a left-to-right walk completes them, and how many it has
 * completed as it comes to the body of each let. The record of each node names the use through which
 * the walk reached it: the first in the text.
 */
function visit(root: Func, infos: Map<Expr, Info>) {
  const order: Expr[] = [];
  const bodyStarts = new Map<Expr, number>();
  const nodes: Expr[] = [];
  const below: ReadonlyArray<Expr>[] = [];
  const position: number[] = [];
  const enter = (node: Expr, firstUser: Expr | undefined, firstIndex: number): void => {
    if (isAtom(node) || infos.has(node)) return;
    infos.set(node, {
      uses: 0,
      scope: undefined,
      ownScope: undefined,
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
      const node = nodes[top] as Expr;
      position[top] = at + 1;
      if (node._tag === 'Let' && at === 1) bodyStarts.set(node, order.length);
      enter(siblings[at] as Expr, node, at);
    } else {
      order.push(nodes.pop() as Expr);
      below.pop();
      position.pop();
    }
  }
  return { order, bodyStarts };
}
