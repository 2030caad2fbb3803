/** The bindings of a function whose values are used. */
import { children, type Expr, freeVars, type Let, type Var } from '@baton/ir';

/** The uses of variables in what is evaluated. */
export interface LiveUses {
  /** Whether the let's value is evaluated at all. */
  readonly isKept: (node: Let) => boolean;
  /** The number of evaluated mentions of a variable. */
  readonly count: (variable: Var) => number;
}

/**
 * The uses of variables in an expression. A bound value counts only once its variable is used, or if
 * it is stateful; a node for which `isKept` holds uses all that it mentions.
 *
 * **Complexity** linear in the nodes.
 */
export function liveUses(
  body: Expr,
  isStateful: (expr: Expr) => boolean,
  isKept: (expr: Expr) => boolean,
): LiveUses {
  const lets = new Map<Var, Let>();
  const kept = new Set<Let>();
  const counts = new Map<Var, number>();
  const seen = new Set<Expr>();
  const pending: Expr[] = [];
  const use = (node: Expr): void => {
    if (node._tag === 'Var') {
      counts.set(node, (counts.get(node) ?? 0) + 1);
      const binder = lets.get(node);
      if (binder !== undefined) keep(binder);
    }
    if (seen.has(node)) return;
    seen.add(node);
    pending.push(node);
  };
  // A kept value is visited later: this function must not call itself for chained lets.
  const keep = (binder: Let): void => {
    if (kept.has(binder)) return;
    kept.add(binder);
    values.push(binder.value);
  };
  const values: Expr[] = [body];
  for (let next = values.pop(); next !== undefined; next = values.pop()) {
    use(next);
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      // A kept node keeps all that it mentions, also its own unused lets.
      if (isKept(node)) for (const variable of freeVars(node)) use(variable);
      else if (node._tag !== 'Let') for (const child of children(node)) use(child);
      else {
        lets.set(node.variable, node);
        if (isStateful(node.value)) keep(node);
        use(node.body);
      }
    }
  }
  return { isKept: (node) => kept.has(node), count: (v) => counts.get(v) ?? 0 };
}
