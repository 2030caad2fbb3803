/** Recursive local functions, whose variables can be used only once they are bound. */
import { remember } from '@baton/base';
import { type Expr, type Func, type Let, postOrderExprs, type Scope, type Var } from '@baton/ir';

/** The blocks inside recursive local functions. */
export interface RecursiveFunctions {
  /** Records that `inner` is in `outer`. */
  readonly enter: (inner: Scope, outer: Scope) => void;
  /** Records that `body` is the body of the function, which is made in `outer`. */
  readonly enterFunction: (body: Scope, outer: Scope, f: Func) => void;
  /**
   * Whether a node that is first reached in the block `from` needs a function that is being defined
   * there: `home`, the block that holds all its uses, has not bound that function yet.
   */
  readonly isNeeded: (node: Expr, from: Scope, home: Scope) => boolean;
}

/** A recursive function around a block. */
interface Level {
  readonly body: Scope;
  readonly variables: ReadonlyArray<Var>;
  readonly outer: Level | undefined;
}

/** The lets among nodes in post-order whose variable occurs inside their value. */
export function recursiveLets(order: ReadonlyArray<Expr>): ReadonlySet<Let> {
  const position = new Map(order.map((node, at) => [node, at]));
  const at = (node: Expr): number => position.get(node) ?? order.length;
  // Such a variable occurs before the value is complete.
  const isRecursive = (node: Expr): node is Let =>
    node._tag === 'Let' && at(node.variable) < at(node.value);
  return new Set(order.filter(isRecursive));
}

/**
 * The recursive local functions among nodes in the order of a depth-first walk.
 *
 * **Complexity** each question visits the nodes that no earlier one about the same function
 * visited.
 */
export function recursiveFunctions(order: ReadonlyArray<Expr>): RecursiveFunctions {
  const variablesOf = new Map<Expr, Var[]>();
  for (const { variable, value } of recursiveLets(order)) {
    remember(variablesOf, value, (): Var[] => []).push(variable);
  }
  const levels = new Map<Scope, Level>();
  const without = new Map<Var, Set<Expr>>();
  const mentions = (root: Expr, variable: Var): boolean => {
    const known = without.get(variable) ?? new Set();
    without.set(variable, known);
    const below = postOrderExprs([root], (node) => known.has(node));
    if (below.includes(variable)) return true;
    for (const node of below) known.add(node);
    return false;
  };
  const enter = (inner: Scope, outer: Scope): void => {
    const level = levels.get(outer);
    if (level !== undefined) levels.set(inner, level);
  };
  return {
    enter,
    enterFunction: (body, outer, f) => {
      const variables = variablesOf.get(f);
      if (variables !== undefined) levels.set(body, { body, variables, outer: levels.get(outer) });
    },
    isNeeded: (node, from, home) => {
      let level = levels.get(from);
      while (level !== undefined && level.body.depth > home.depth) {
        if (level.variables.some((variable) => mentions(node, variable))) return true;
        level = level.outer;
      }
      return false;
    },
  };
}
