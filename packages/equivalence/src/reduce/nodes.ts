/** Reducer steps that remove nodes. */
import {
  children,
  type Expr,
  freeVars,
  type IRModule,
  type Let,
  letIn,
  sortOf,
  substitute,
  type Type,
  tuple,
  typeEqual,
  typeOf,
} from '@baton/ir';
import {
  bodyNodes,
  type Candidates,
  operatorCalls,
  replacing,
  type Strategy,
  standIn,
  withEntryBody,
  withNode,
} from './candidate.ts';

export function* rootCandidates(m: IRModule, entry: string): Candidates {
  const body = m.functions.get(entry)?.body;
  const sized = bodyNodes(m, entry)
    .filter((node) => node !== body && isWorthKeeping(node))
    .map((node) => ({ node, calls: operatorCalls([node]) }))
    .filter(({ calls }) => calls > 0)
    .sort((a, b) => a.calls - b.calls);
  const lets = bodyNodes(m, entry).filter((node) => node._tag === 'Let');
  for (const { node } of sized) {
    yield withEntryBody(m, entry, node);
    const closed = withLets(node, lets);
    if (closed !== node) yield withEntryBody(m, entry, closed);
  }
}

function withLets(node: Expr, lets: ReadonlyArray<Let>): Expr {
  const needed = new Set(freeVars(node));
  for (const { variable, value } of lets) {
    if (needed.has(variable)) for (const v of freeVars(value)) needed.add(v);
  }
  return lets
    .filter(({ variable }) => needed.has(variable))
    .reduce((body, { variable, value }) => letIn(variable, value, body), node);
}

/** Replaces a node by a parameter, one of its operands, a branch, a field, or the body of a let. */
export const nodeCandidates: Strategy = replacing(
  (node, m) => simplerForms(m, node),
  (nodes) => [...nodes].reverse(),
);

export const tupleCandidates: Strategy = replacing(function* (node) {
  if (node._tag !== 'Tuple' || node.fields.length < 2) return;
  for (const at of node.fields.keys()) {
    yield tuple(
      node.fields.filter((_, i) => i !== at),
      node.span,
    );
  }
});

/** Replaces a call by a parameter, and adds its arguments to the result. */
export function* argumentCandidates(m: IRModule, entry: string): Candidates {
  for (const node of bodyNodes(m, entry)) {
    const stand = node._tag === 'Call' ? standIn(typeOf(m, node)) : undefined;
    if (node._tag !== 'Call' || stand === undefined) continue;
    const args = node.args.flatMap((arg) => (arg._tag === 'Tuple' ? arg.fields : [arg]));
    const parts = args.filter((arg) => sortOf(arg) === 'compound' && isWorthKeeping(arg));
    const next = parts.length === 0 ? undefined : withNode(m, entry, node, stand);
    let result = next?.functions.get(entry)?.body;
    while (result?._tag === 'Let') result = result.body;
    if (next === undefined || result === undefined) continue;
    const fields = result._tag === 'Tuple' ? result.fields : [result];
    yield withNode(next, entry, result, tuple([...fields, ...parts]));
  }
}

function* simplerForms(m: IRModule, node: Expr): Generator<Expr> {
  const type = typeOf(m, node);
  switch (node._tag) {
    case 'Let':
      yield substitute(node.body, new Map([[node.variable, node.value]]));
      break;
    case 'If':
      yield node.trueBranch;
      yield node.falseBranch;
      break;
    case 'Match':
      for (const c of node.clauses) yield c.body;
      break;
    case 'RefRead':
      if (node.ref._tag === 'RefCreate') yield node.ref.value;
      break;
    case 'TupleGetItem':
      if (node.tuple._tag === 'Tuple') yield node.tuple.fields[node.index] ?? node;
      break;
    case 'Call':
      if (node.op._tag === 'Function' && node.op.params.length === node.args.length) {
        yield substitute(
          node.op.body,
          new Map(node.op.params.map((p, i) => [p, node.args[i] ?? p])),
        );
      }
      break;
    case 'Function':
      return;
    default:
      if (sortOf(node) !== 'compound') return;
  }
  const stand = standIn(type);
  if (stand !== undefined) yield stand;
  if (type !== undefined) yield* operandsOfType(m, node, type);
}

function* operandsOfType(m: IRModule, node: Expr, type: Type): Generator<Expr> {
  for (const child of children(node)) {
    const fits = (e: Expr): boolean => {
      const found = typeOf(m, e);
      return found !== undefined && typeEqual(found, type);
    };
    if (fits(child)) yield child;
    else for (const inner of children(child)) if (fits(inner)) yield inner;
  }
}

/** Whether the node may be the result of a program. */
const isWorthKeeping = (node: Expr): boolean =>
  node._tag !== 'Op' && node._tag !== 'GlobalVar' && node._tag !== 'Function';
