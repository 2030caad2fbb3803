/** The names of global functions in each other's bodies. */
import { type Analysis, analysis } from '@baton/base';
import { childAt } from '../expr/children.ts';
import type { Expr, Func } from '../expr/expr.ts';
import { walkExpr } from '../expr/walks.ts';

export interface CallGraph {
  /** The functions of the module that a function names, in order of first use. */
  readonly callees: ReadonlyMap<string, ReadonlyArray<string>>;
  /** The functions that name a function, in order of definition. */
  readonly callers: ReadonlyMap<string, ReadonlyArray<string>>;
  /** Functions that reach each other form one group; callees come before their callers. */
  readonly groups: ReadonlyArray<ReadonlyArray<string>>;
  /** Functions that reach themselves. */
  readonly recursive: ReadonlySet<string>;
}

/** The names of the functions that the entries reach, themselves included, if there are such. */
export function reachableFunctions(
  functions: ReadonlyMap<string, Func>,
  entries: ReadonlyArray<string>,
): ReadonlySet<string> {
  const reached = new Set(entries.filter((name) => functions.has(name)));
  // A set is iterated with the elements added on the way.
  for (const name of reached) {
    const f = functions.get(name);
    if (f === undefined) continue;
    for (const named of namedGlobals(f)) if (functions.has(named)) reached.add(named);
  }
  return reached;
}

/** The names of globals in a function, in order of first use, defined or not. */
export const namedGlobals: Analysis<Func, ReadonlySet<string>> = analysis((f) => {
  const names = new Set<string>();
  const seen = new Set<Expr>();
  const enter = (node: Expr): boolean => {
    if (node._tag === 'GlobalVar') names.add(node.nameHint);
    if (childAt(node, 0) === undefined || seen.has(node)) return false;
    seen.add(node);
    return true;
  };
  walkExpr(f, enter, () => {});
  return names;
});

/** The call graph of functions. **Complexity** linear in nodes and edges of all of them. */
export const callGraph: Analysis<ReadonlyMap<string, Func>, CallGraph> = analysis((functions) => {
  const callees = new Map<string, ReadonlyArray<string>>();
  const callers = new Map<string, string[]>([...functions.keys()].map((name) => [name, []]));
  for (const [name, f] of functions) {
    const named = [...namedGlobals(f)].filter((callee) => functions.has(callee));
    callees.set(name, named);
    for (const callee of named) callers.get(callee)?.push(name);
  }
  const groups = components([...functions.keys()], (name) => callees.get(name) ?? []);
  const recursive = groups
    .filter(([first, ...others]) => {
      if (first === undefined) return false;
      return others.length > 0 || (callees.get(first) ?? []).includes(first);
    })
    .flat();
  return { callees, callers, groups, recursive: new Set(recursive) };
});

/**
 * Strongly connected components, each after those that it reaches.
 *
 * **Source** R. Tarjan, Depth-first search and linear graph algorithms, 1972, with an explicit
 * stack.
 */
function components(
  names: ReadonlyArray<string>,
  successors: (name: string) => ReadonlyArray<string>,
): ReadonlyArray<ReadonlyArray<string>> {
  const found: string[][] = [];
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const onStack = new Set<string>();
  const stack: string[] = [];
  const path: { readonly name: string; at: number }[] = [];
  const rank = (map: Map<string, number>, name: string): number => map.get(name) ?? 0;
  const lower = (name: string, to: number): void => {
    lowest.set(name, Math.min(rank(lowest, name), to));
  };
  const enter = (name: string): void => {
    order.set(name, order.size);
    lowest.set(name, rank(order, name));
    stack.push(name);
    onStack.add(name);
    path.push({ name, at: 0 });
  };
  const leave = (name: string): void => {
    if (rank(lowest, name) !== rank(order, name)) return;
    const at = stack.lastIndexOf(name);
    const group = stack.splice(at);
    for (const member of group) onStack.delete(member);
    found.push(group);
  };
  for (const root of names) {
    if (!order.has(root)) enter(root);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = successors(top.name)[top.at++];
      if (next === undefined) {
        path.pop();
        leave(top.name);
        const parent = path.at(-1);
        if (parent !== undefined) lower(parent.name, rank(lowest, top.name));
      } else if (!order.has(next)) enter(next);
      else if (onStack.has(next)) lower(top.name, rank(order, next));
    }
  }
  return found;
}
