/** Candidate programs of the reducer's steps. */

import { memoFold } from '@baton/base';
import {
  type Expr,
  freeVars,
  func,
  type IRModule,
  irModule,
  namedGlobals,
  postOrderExprs,
  substitute,
  type Type,
  typeChildren,
  type Var,
  variable,
} from '@baton/ir';

/** The number of calls of operators; a shared call counts once. */
export function operatorCalls(m: IRModule): number {
  let count = 0;
  for (const node of postOrderExprs([...m.functions.values()])) {
    if (node._tag === 'Call' && node.op._tag === 'Op') count++;
  }
  return count;
}

/** The nodes of the entry's body, children first; none if the module has no such function. */
export const bodyNodes = (m: IRModule, entry: string): ReadonlyArray<Expr> => {
  const f = m.functions.get(entry);
  return f === undefined ? [] : postOrderExprs([f.body]);
};

/**
 * The module with another body for its entry. The variables of the body become its parameters: old
 * ones in their order, then the others; unused parameters and functions are dropped.
 */
export function withEntryBody(m: IRModule, entry: string, body: Expr): IRModule | undefined {
  const old = m.functions.get(entry);
  if (old === undefined) return undefined;
  const free = freeVars(body);
  const kept = old.params.filter((p) => free.includes(p));
  const fresh = new Map<Var, Var>();
  for (const v of free) {
    if (kept.includes(v)) continue;
    if (v.typeAnnotation === undefined) return undefined;
    // The variable may still be bound by a let elsewhere in the body.
    fresh.set(v, variable(v.nameHint, v.typeAnnotation, v.span));
  }
  const closed = substitute(body, fresh);
  const params = [...kept, ...fresh.values()];
  const { typeParams, attrs, constraints, span } = old;
  const next = func(params, closed, { typeParams, attrs, constraints, span });
  return withUsedFunctions(m, entry, new Map([...m.functions, [entry, next]]));
}

/** The module with a node of its entry's body replaced wherever it is used. */
export function withNode(m: IRModule, entry: string, node: Expr, by: Expr): IRModule | undefined {
  const body = m.functions.get(entry)?.body;
  return body && withEntryBody(m, entry, substitute(body, new Map([[node, by]])));
}

/** A new parameter of a type of tensors, or `undefined` for a type without generated inputs. */
export const freshParam = (type: Type | undefined): Var | undefined =>
  type !== undefined && isOfTensors(type) ? variable('p', type) : undefined;

const isOfTensors = memoFold<Type, boolean>(
  typeChildren,
  (type, get) =>
    type._tag === 'TensorType' || (type._tag === 'TupleType' && type.fields.every(get)),
);

function withUsedFunctions(m: IRModule, entry: string, functions: IRModule['functions']): IRModule {
  const used = new Set([entry]);
  const pending = [entry];
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const f = functions.get(name);
    for (const next of f === undefined ? [] : namedGlobals(f)) {
      if (used.has(next) || !functions.has(next)) continue;
      used.add(next);
      pending.push(next);
    }
  }
  const kept = new Map([...functions].filter(([name]) => used.has(name)));
  return irModule({ ...m, functions: kept });
}
