/**
 * The search for a pattern at an expression, with TVM's meaning: a pattern that has a node stands for
 * that node, an alternative that fails takes back what it found, and one that succeeds is kept.
 */
import { remember, run, runSteps, type Steps } from '@baton/base';
import {
  attrEqual,
  dimsEqual,
  type Expr,
  type IRModule,
  noAttrs,
  sortOf,
  structuralEqual,
  typeEqual,
  typeOf,
} from '@baton/ir';
import {
  type CallPattern,
  commutes,
  dimsOf,
  dtypeOf,
  fusionColumn,
  isOpCall,
  operatorHole,
} from '@baton/ops';
import { matchAttrs } from '../match/bindings.ts';
import { isFilledWith } from '../match/number.ts';
import { completeAttrs } from '../match/orders.ts';
import { constantOf } from '../rule/matched-value.ts';
import { associated } from './arithmetic.ts';
import { add, addAll, type Found, keyOf, markOf, nothingFound, undo } from './found.ts';
import type { Graph } from './graph.ts';
import { type Paths, pathsOf } from './paths.ts';
import type { ApplyPattern, DominatorPattern, GraphPattern, Property } from './pattern.ts';

/** The surroundings of searches: a program, and what is known of its paths. */
export interface Site {
  readonly m: IRModule;
  readonly graph: Graph;
  readonly paths: Map<DominatorPattern, Paths>;
}

export const siteOf = (m: IRModule, graph: Graph): Site => ({ m, graph, paths: new Map() });

/** A pattern and the expression that it must match. */
type Pair = readonly [GraphPattern, Expr];

/** A search under way. */
interface Search {
  readonly site: Site;
  readonly found: Found;
}

/**
 * The nodes of the patterns if the whole matches the expression.
 *
 * **Complexity** the ways through the pattern, whatever the size of the program; paths to a dominator
 * are linear in the program over all searches of a site.
 */
export function searchAt(site: Site, p: GraphPattern, e: Expr): Found | undefined {
  const search: Search = { site, found: nothingFound() };
  return (known(search, p, e) ?? runSteps(searched(search, p, e))) ? search.found : undefined;
}

/** The answer if no search is necessary: the pattern has a node, or has no parts. */
function known(s: Search, p: GraphPattern, e: Expr): boolean | undefined {
  const first = s.found.nodes.get(keyOf(p))?.[0];
  if (first !== undefined) return isSame(first, e);
  const answer = leafMatches(p, e, s.site.m);
  if (answer === true) add(s.found, keyOf(p), e);
  return answer;
}

/** Whether two expressions are one: the same node, or the same name. */
function isSame(a: Expr, b: Expr): boolean {
  if (a === b) return true;
  if (a._tag === 'Op') return b._tag === 'Op' && a.name === b.name;
  return a._tag === 'GlobalVar' && b._tag === 'GlobalVar' && a.nameHint === b.nameHint;
}

/** Whether an expression names what exists once, however often it is written. */
export const isName = (e: Expr): boolean => sortOf(e) === 'value' && e._tag !== 'Constant';

/** Whether a pattern without parts matches; `undefined` for others. */
function leafMatches(p: GraphPattern, e: Expr, m: IRModule): boolean | undefined {
  switch (p._tag) {
    case 'Hole':
    case 'Wildcard':
      return true;
    case 'Equal':
      return p.expr === e || (p.expr.hash === e.hash && structuralEqual(p.expr, e));
    case 'AnyVar':
      return e._tag === 'Var' && (p.name === undefined || p.name === e.nameHint);
    case 'AnyConstant':
      return e._tag === 'Constant';
    case 'AnyTuple':
      return e._tag === 'Tuple';
    case 'Operator':
      return e._tag === 'Op' && e.name === p.name;
    case 'Number': {
      const data = constantOf(e);
      return data !== undefined && isFilledWith(data, p);
    }
    case 'Composite':
      return false;
    case 'Having':
      return hasProperty(p.property, e, m) ? undefined : false;
    default:
      return undefined;
  }
}

function* searched(s: Search, p: GraphPattern, e: Expr): Steps<boolean> {
  const before = markOf(s.found);
  for (const pairs of waysOf(p, e, s)) {
    let matches = true;
    for (const [part, node] of pairs) {
      matches = known(s, part, node) ?? (yield* run(searched(s, part, node)));
      if (!matches) break;
    }
    if (matches) {
      if (p._tag === 'Dominator') addPath(s, p, e);
      add(s.found, keyOf(p), e);
      return true;
    }
    undo(s.found, before);
  }
  return false;
}

/** The ways in which the pattern may match: all pairs of one of them must. */
function waysOf(p: GraphPattern, e: Expr, s: Search): ReadonlyArray<ReadonlyArray<Pair>> {
  switch (p._tag) {
    case 'Call':
      return waysOfCall(p, e, s);
    case 'Apply':
      return waysOfApply(p, e, s);
    case 'Tuple':
      return e._tag === 'Tuple' ? zipped(p.fields, e.fields) : NONE;
    case 'Field':
      return e._tag === 'TupleGetItem' && e.index === p.index ? [[[p.tuple, e.tuple]]] : NONE;
    case 'AnyField':
      return e._tag === 'TupleGetItem' ? [[[p.tuple, e.tuple]]] : NONE;
    case 'If':
      return e._tag === 'If'
        ? zipped([p.cond, p.trueBranch, p.falseBranch], [e.cond, e.trueBranch, e.falseBranch])
        : NONE;
    case 'Let':
      return e._tag === 'Let'
        ? zipped([p.variable, p.value, p.body], [e.variable, e.value, e.body])
        : NONE;
    case 'Function':
      return e._tag === 'Function'
        ? zipped([...(p.params ?? []), p.body], [...(p.params ? e.params : []), e.body])
        : NONE;
    case 'Either':
      return [[[p.first, e]], [[p.second, e]]];
    case 'Having':
      return [[[p.pattern, e]]];
    case 'Again':
      return [[[p.pattern(), e]]];
    case 'Dominator': {
      const parent = pathsFor(s.site, p).parentOf(e);
      const isLeft = parent !== undefined && s.site.graph.dominates(e, parent);
      return isLeft ? [[[p.child, e] as Pair, [p.parent, parent]]] : NONE;
    }
    default:
      return NONE;
  }
}

const NONE: ReadonlyArray<never> = [];

/** The pairs of two lists, as the only way; none if they differ in length. */
const zipped = (
  patterns: ReadonlyArray<GraphPattern>,
  nodes: ReadonlyArray<Expr>,
): ReadonlyArray<ReadonlyArray<Pair>> =>
  patterns.length === nodes.length ? [patterns.map((p, i): Pair => [p, nodes[i] as Expr])] : NONE;

/** The arguments in their order, and reversed if the operator commutes. */
function inOrders(
  patterns: ReadonlyArray<GraphPattern>,
  args: ReadonlyArray<Expr>,
  turns: boolean,
): ReadonlyArray<ReadonlyArray<Pair>> {
  const plain = zipped(patterns, args);
  return turns ? [...plain, ...zipped([...patterns].reverse(), args)] : plain;
}

/** The ways of a call in a rule's pattern, which has complete attributes. */
function waysOfCall(
  p: CallPattern,
  e: Expr,
  { site: { m }, found }: Search,
): ReturnType<typeof waysOf> {
  if (!isOpCall(e)) return NONE;
  const hole = operatorHole(p);
  if (hole === undefined ? e.op.name !== p.op : isOther(found.attrs.get(hole), e.op.name)) {
    return NONE;
  }
  const op = { ...p, op: e.op.name };
  const attrs = new Map(found.attrs);
  if (hole !== undefined) attrs.set(hole, e.op.name);
  const bindings = { attrs, terms: new Map(), nodes: [] };
  const complete = { ...op, attrs: completeAttrs(op, m.ops) };
  if (!matchAttrs(complete, e.attrs ?? noAttrs, bindings)) return NONE;
  found.attrs = attrs;
  return inOrders(p.args, e.args, commutes(m.ops, e.op.name));
}

const isOther = (known: unknown, name: string): boolean => known !== undefined && known !== name;

/** The ways of a call with any attributes. */
function waysOfApply(p: ApplyPattern, e: Expr, { site: { m } }: Search): ReturnType<typeof waysOf> {
  if (e._tag !== 'Call') return NONE;
  const { callee, args } = p;
  if (callee._tag === 'Operator' && (e.op._tag !== 'Op' || e.op.name !== callee.name)) {
    return isOpCall(e) ? associated(p, e.op.name).map((other) => [[other, e]]) : NONE;
  }
  const head: Pair = [callee, e.op];
  if (args === undefined) return [[head]];
  const turns = isOpCall(e) && callee._tag === 'Operator' && commutes(m.ops, e.op.name);
  return inOrders(args, e.args, turns).map((pairs) => [head, ...pairs]);
}

function hasProperty(property: Property, e: Expr, m: IRModule): boolean {
  switch (property._tag) {
    case 'Attrs': {
      const wanted = Object.entries(property.attrs);
      if (e._tag === 'Op') return wanted.every(([name, v]) => ofOperator(name, e.name, m) === v);
      const own = e._tag === 'Call' || e._tag === 'Function' ? e.attrs : undefined;
      return wanted.every(([name, value]) => {
        const found = own?.[name];
        return found !== undefined && attrEqual(found, value);
      });
    }
    case 'Fact':
      return e._tag === 'Op' && property.holds(m.ops, e.name);
    case 'Type': {
      const type = typeOf(m, e);
      return type !== undefined && typeEqual(type, property.type);
    }
    case 'DType':
      return dtypeOf(typeOf(m, e)) === property.dtype;
    case 'Shape': {
      const dims = dimsOf(typeOf(m, e));
      const { dims: wanted } = property;
      return dims?.length === wanted.length && dims.every((d, i) => dimsEqual(d, wanted[i] ?? d));
    }
  }
}

/** An attribute that TVM registers for operators. */
function ofOperator(name: string, op: string, { ops }: IRModule): unknown {
  switch (name) {
    case 'TOpPattern':
      return ops.read(fusionColumn, op);
    case 'TOpIsStateful':
      return ops.get(op)?.effect === 'stateful';
    case 'TNonComputational':
      return ops.get(op)?.nonComputational;
    default:
      return undefined;
  }
}

/** The paths to a dominator, with searches of their own: a path's pattern has many nodes. */
const pathsFor = (site: Site, p: DominatorPattern): Paths =>
  remember(site.paths, p, () => {
    const matches = (part: GraphPattern) => (node: Expr) =>
      searchAt(site, part, node) !== undefined;
    return pathsOf(matches(p.parent), matches(p.path));
  });

/** Adds the nodes on the way from a dominator's child to its parent. */
function addPath({ site, found }: Search, p: DominatorPattern, e: Expr): void {
  for (const node of pathsFor(site, p).between(e)) {
    const onPath = searchAt(site, p.path, node);
    if (onPath !== undefined) addAll(found, onPath);
  }
}
