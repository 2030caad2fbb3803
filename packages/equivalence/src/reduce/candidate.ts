/** Candidate programs of the reducer's steps. */

import { memoFold } from '@baton/base';
import {
  children,
  constant,
  type Expr,
  type Func,
  freeVars,
  func,
  type IRModule,
  irModule,
  postOrderExprs,
  reachableFunctions,
  sortOf,
  substitute,
  type Type,
  typeChildren,
  type Var,
  variable,
} from '@baton/ir';
import { staticTensor } from '@baton/ops';
import { isInteger, splat } from '@baton/tensor';

/** Smaller programs to try; `undefined` if a step does not apply. */
export type Candidates = Generator<IRModule | undefined>;

export const operatorCalls = (roots: ReadonlyArray<Expr>): number =>
  postOrderExprs(roots).filter((node) => node._tag === 'Call' && node.op._tag === 'Op').length;

/** The size of a program: computed nodes first, then edges. */
export function sizeOfModule(m: IRModule): number {
  let size = NODE_WEIGHT * m.typeDefinitions.size;
  for (const node of postOrderExprs([...m.functions.values()])) {
    size += children(node).length + weightOf(node);
  }
  return size;
}

const NODE_WEIGHT = 1000;
const TUPLE_WEIGHT = 300;

function weightOf(node: Expr): number {
  if (node._tag === 'Tuple' || node._tag === 'TupleGetItem') return TUPLE_WEIGHT;
  return sortOf(node) === 'compound' || node._tag === 'GlobalVar' ? NODE_WEIGHT : 0;
}

/** The nodes of the entry's body, children first; empty if the module has no such function. */
export const bodyNodes = (m: IRModule, entry: string): ReadonlyArray<Expr> => {
  const f = m.functions.get(entry);
  return f === undefined ? [] : postOrderExprs([f.body]);
};

/**
 * The module with another body for its entry. The variables of the body become its parameters: old
 * ones in their order, then the others; unused parameters are dropped, and functions that are no
 * longer used. A function that was not used before stays: the fault may be there.
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
  const next = withBody(old, [...kept, ...fresh.values()], closed);
  const functions = new Map([...m.functions, [entry, next]]);
  const before = reachableFunctions(m.functions, [entry]);
  const used = reachableFunctions(functions, [entry]);
  const isKept = (name: string): boolean => used.has(name) || !before.has(name);
  return irModule({ ...m, functions: new Map([...functions].filter(([name]) => isKept(name))) });
}

/** The function with other parameters and another body; its type is that of the body. */
export const withBody = (
  { typeParams, attrs, constraints, span }: Func,
  params: ReadonlyArray<Var>,
  body: Expr,
): Func => func(params, body, { typeParams, attrs, constraints, span });

export function withNode(m: IRModule, entry: string, node: Expr, by: Expr): IRModule | undefined {
  const body = m.functions.get(entry)?.body;
  return body && withEntryBody(m, entry, substitute(body, new Map([[node, by]])));
}

export type Strategy = (m: IRModule, entry: string) => Candidates;

/** The strategy that replaces a node of the entry's body by one of its simpler forms. */
export const replacing = (
  forms: (node: Expr, m: IRModule) => Iterable<Expr>,
  inOrder: (nodes: ReadonlyArray<Expr>) => ReadonlyArray<Expr> = (nodes) => nodes,
): Strategy =>
  function* (m, entry) {
    for (const node of inOrder(bodyNodes(m, entry))) {
      for (const form of forms(node, m)) yield withNode(m, entry, node, form);
    }
  };

/**
 * A replacement for any value of a type: a new parameter, or 0 for a possible index. `undefined`
 * for a type without generated inputs.
 */
export function standIn(type: Type | undefined): Expr | undefined {
  const known = type?._tag === 'TensorType' ? staticTensor(type) : undefined;
  if (known !== undefined && isInteger(known.dtype)) {
    return constant(splat(known.shape, known.dtype, 0));
  }
  return type !== undefined && isOfTensors(type) ? variable('p', type) : undefined;
}

const isOfTensors = memoFold<Type, boolean>(
  typeChildren,
  (type, get) =>
    type._tag === 'TensorType' || (type._tag === 'TupleType' && type.fields.every(get)),
);
