/** Rules as rewrites of an e-graph. */

import { orThrow } from '@baton/base';
import {
  type Applier,
  applier,
  type ClassId,
  type Pattern as GraphPattern,
  type Match,
  multiRewrite,
  node,
  type Rewrite,
  rewrite,
  variable,
} from '@baton/egraph';
import { type Attrs, type Expr, noAttrs, type OpTable } from '@baton/ir';
import { attrsKey, type CallPattern, type NumberPattern, type Pattern } from '@baton/ops';
import { applyRule } from '../match/apply.ts';
import { type Bindings, emptyBindings, matchAttrs } from '../match/bindings.ts';
import type { CompiledRule } from '../match/compile.ts';
import { isFilledWith } from '../match/number.ts';
import { constantOf } from '../rule/matched-value.ts';
import { refusedRow } from '../rule/rows.ts';
import { FIELD, TUPLE } from './language.ts';
import { type ClassFacts, regionOf } from './region.ts';

/** The row of the rule of the language itself. */
export const FIELD_ROW = 'field of a tuple';

/** The parts of a left side that the e-graph's own matcher leaves open, by their variables. */
interface Open {
  readonly terms: Map<string, string>;
  readonly numbers: Map<string, NumberPattern>;
  readonly calls: Map<string, CallPattern>;
}

/** The rewrite of a rule in one order of its arguments, for the e-graphs of regions. */
export function rewriteOf(
  compiled: CompiledRule,
  order: number,
  ops: OpTable,
): Rewrite<ClassFacts> {
  const open: Open = { terms: new Map(), numbers: new Map(), calls: new Map() };
  const patterns = (compiled.orders[order] ?? []).map((left) => graphPattern(left, open, ops));
  const name = order === 0 ? compiled.label : `${compiled.label}, order ${order + 1}`;
  const [first, ...others] = patterns as [GraphPattern, ...GraphPattern[]];
  const roots = others.map((_, i) => `?root ${i + 1}`);
  const right = applierOf(name, compiled, open, roots);
  if (others.length === 0) return orThrow(rewrite<ClassFacts>(name, first, right));
  const clauses = others.map((p, i) => ({ variable: roots[i] as string, pattern: p }));
  const all = [{ variable: '?root', pattern: first }, ...clauses];
  return orThrow(multiRewrite<ClassFacts>(name, all, right));
}

/** A pattern that nothing matches: left sides have no composites. */
const NOTHING = node('nothing');

/** The pattern of an e-graph that matches at least what a pattern matches. */
function graphPattern(p: Pattern, open: Open, ops: OpTable): GraphPattern {
  const parts = (list: ReadonlyArray<Pattern>) => list.map((part) => graphPattern(part, open, ops));
  switch (p._tag) {
    case 'Hole':
      open.terms.set(`?${p.name}`, p.name);
      return variable(`?${p.name}`);
    case 'Number': {
      const name = `?number ${open.numbers.size}` as const;
      open.numbers.set(name, p);
      return variable(name);
    }
    case 'Tuple':
      return node(TUPLE, parts(p.fields));
    case 'Field':
      return node(FIELD, parts([p.tuple]), p.index);
    case 'Call': {
      const args = parts(p.args);
      if (ops.get(p.op)?.attrs.fields.length === 0) return node(p.op, args);
      const name = `?attrs ${open.calls.size}` as const;
      open.calls.set(name, p);
      return node(p.op, args, variable(name));
    }
    case 'Composite':
      return NOTHING;
  }
}

function applierOf(
  name: string,
  compiled: CompiledRule,
  open: Open,
  roots: ReadonlyArray<string>,
): Applier<ClassFacts> {
  const { rule } = compiled;
  const apply = (match: Match<ClassFacts>): ClassId | undefined => {
    const region = regionOf(match.egraph);
    const { m, count } = region;
    // First, since most matches of a rule for a number, such as x + 0, end here.
    if (!fitsNumbers(match, open)) return undefined;
    const classes = [match.root, ...roots.map(match.get)];
    if (!(rule.symmetric ? areAscending(classes) : areDistinct(classes))) return undefined;
    if (!region.isNew(keyOf(name, match, open))) return undefined;
    const terms = classes.map((id) => region.graph.data(id).term);
    const bindings = bindingsOf(match, open);
    if (bindings === undefined) return undefined;
    const step = applyRule(m, compiled, terms, bindings, region.allows);
    if (typeof step === 'string') {
      count(refusedRow(rule, step));
      return undefined;
    }
    const made = step.results.map((result) => region.addMade(result));
    if (made.every((id, i) => id === classes[i])) return undefined;
    count(rule.name);
    for (const [i, id] of made.entries()) {
      if (i > 0) region.graph.union(classes[i] as ClassId, id, name);
    }
    return made[0];
  };
  return applier(
    [...roots, ...open.terms.keys(), ...open.numbers.keys(), ...open.calls.keys()],
    apply,
    'data',
  );
}

const areDistinct = (ids: ReadonlyArray<ClassId>): boolean => new Set(ids).size === ids.length;

const areAscending = (ids: ReadonlyArray<ClassId>): boolean =>
  ids.every((id, i) => i === 0 || (ids[i - 1] as ClassId) < id);

/** Whether constants are where the rule has numbers. */
function fitsNumbers(match: Match<ClassFacts>, { numbers }: Open): boolean {
  for (const [name, number] of numbers) {
    const data = constantOf(match.egraph.data(match.get(name)).term);
    if (data === undefined || !isFilledWith(data, number)) return false;
  }
  return true;
}

/** The values of the rule's holes, if attributes that the matcher left open fit, too. */
function bindingsOf(match: Match<ClassFacts>, open: Open): Bindings | undefined {
  const matchedValueOf = (name: string): Expr => match.egraph.data(match.get(name)).term;
  const bindings = emptyBindings<Expr>();
  for (const [name, call] of open.calls) {
    const attrs = (match.payload(name) as Attrs | undefined) ?? noAttrs;
    if (!matchAttrs(call, attrs, bindings)) return undefined;
  }
  for (const [name, hole] of open.terms) bindings.terms.set(hole, matchedValueOf(name));
  // The matcher tells classes of holes, and not by which nodes it came to them.
  bindings.nodes.push(...bindings.terms.values());
  return bindings;
}

/** Equal for matches of a rewrite with the same classes and facts. */
function keyOf(name: string, match: Match<ClassFacts>, open: Open): string {
  let key = `${name} ${match.root}`;
  for (const hole of open.terms.keys()) {
    const id = match.get(hole);
    key += match.egraph.data(id).term._tag === 'Constant' ? ` ${id}c` : ` ${id}`;
  }
  for (const number of open.numbers.keys()) key += ` ${match.get(number)}`;
  for (const call of open.calls.keys()) {
    key += attrsKey((match.payload(call) as Attrs | undefined) ?? noAttrs);
  }
  return key;
}

/** Fields of tuples, for tuples of any size. */
export const fieldOfTuple = orThrow(
  rewrite<ClassFacts>(
    FIELD_ROW,
    node(FIELD, [variable('?tuple')], variable('?index')),
    applier(['?tuple', '?index'], (match) => {
      const region = regionOf(match.egraph);
      const { graph, count } = region;
      const nodes = graph.nodes(match.get('?tuple'));
      const tuple = nodes.find((n) => graph.operatorOf(n).name === TUPLE);
      if (tuple === undefined) return undefined;
      const index = match.payload('?index') as number;
      const fields = graph.childrenOf(tuple);
      if (!fields.every((field, i) => i === index || region.isTotal(field))) return undefined;
      const id = fields[index];
      if (id !== undefined && graph.find(id) !== match.root) count(FIELD_ROW);
      return id;
    }),
  ),
);
