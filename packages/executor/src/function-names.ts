/** The names of functions that lets bind. */
import { binders, type Expr, type Func, type Var } from '@baton/ir';

export interface FunctionNames {
  /** The let variables of a function, which are its names inside. */
  readonly namesOf: (func: Func) => ReadonlyArray<Var>;
  readonly functionOf: (variable: Var) => Func | undefined;
}

export function functionNames(nodes: Iterable<Expr>): FunctionNames {
  const names = new Map<Func, ReadonlyArray<Var>>();
  const named = new Map<Var, Func>();
  for (const node of nodes) {
    if (node._tag !== 'Let' || node.value._tag !== 'Function') continue;
    names.set(node.value, [...(names.get(node.value) ?? []), ...binders(node)]);
    named.set(node.variable, node.value);
  }
  return { namesOf: (func) => names.get(func) ?? [], functionOf: (v) => named.get(v) };
}
