/** The rules that may match in an e-graph: few programs have all operators of a table. */
import { andThen, failure, isLeft, type Result, remember, right } from '@baton/base';
import type { Rewrite } from '@baton/egraph';
import type { OpTable } from '@baton/ir';
import { type Pattern, subpatterns } from '@baton/ops';
import { compileBothWays } from '../match/both-ways.ts';
import type { CompiledRule } from '../match/compile.ts';
import type { Rule } from '../rule/rule.ts';
import { FIELD, TUPLE } from './language.ts';
import type { ClassFacts } from './region.ts';
import { rewritesOf } from './rules.ts';

/** A rule whose rewrites are made when it is used for the first time. */
export interface LazyRule {
  /** Whether it has several roots. */
  readonly isJoint: boolean;
  /** The names of the nodes on its left sides, and on its right sides. */
  readonly takes: ReadonlySet<string>;
  readonly makes: ReadonlySet<string>;
  readonly rewrites: () => ReadonlyArray<Rewrite<ClassFacts>>;
}

const known = new WeakMap<OpTable, WeakMap<Rule, Result<ReadonlyArray<LazyRule>>>>();

/**
 * The rules for a table of operators, in each direction in which they are used. Passes share them.
 *
 * **Errors** `RULE_OPERATOR`, `RULE_ARITY`, `RULE_ATTRIBUTE`.
 */
export function lazyRules(
  rules: ReadonlyArray<Rule>,
  ops: OpTable,
): Result<ReadonlyArray<LazyRule>> {
  const ofTable = remember(known, ops, () => new WeakMap());
  const found = rules.map((rule) => remember(ofTable, rule, () => lazily(rule, ops)));
  return (
    failure(found.flatMap((made) => (isLeft(made) ? made.left : []))) ??
    right(found.flatMap((made) => (isLeft(made) ? [] : made.right)))
  );
}

const lazily = (rule: Rule, ops: OpTable): Result<ReadonlyArray<LazyRule>> =>
  andThen(compileBothWays([rule], ops), (compiled) =>
    right(compiled.map((one) => lazyRule(one, ops))),
  );

function lazyRule(compiled: CompiledRule, ops: OpTable): LazyRule {
  const { lefts, rights } = compiled;
  let made: ReadonlyArray<Rewrite<ClassFacts>> | undefined;
  return {
    isJoint: rights.length > 1,
    takes: namesIn(lefts),
    makes: namesIn(rights),
    rewrites: () => {
      made ??= rewritesOf(compiled, ops);
      return made;
    },
  };
}

/**
 * The rules that may match in an e-graph with nodes of these names, or with what such rules make of
 * them; in their order.
 *
 * **Complexity** linear in the rules, for each step of the longest chain of them; once for the names of
 * many small e-graphs.
 */
export const reachable = (
  rules: ReadonlyArray<LazyRule>,
  names: ReadonlySet<string>,
): ReadonlyArray<LazyRule> =>
  remember(
    remember(byNames, rules, () => new Map()),
    [...names].sort().join(),
    () => reached(rules, names),
  );

const byNames = new WeakMap<ReadonlyArray<LazyRule>, Map<string, ReadonlyArray<LazyRule>>>();

function reached(
  rules: ReadonlyArray<LazyRule>,
  names: ReadonlySet<string>,
): ReadonlyArray<LazyRule> {
  const present = new Set(names);
  const found = new Set<LazyRule>();
  for (let before = -1; before < found.size; ) {
    before = found.size;
    for (const rule of rules) {
      if (found.has(rule) || ![...rule.takes].every((name) => present.has(name))) continue;
      found.add(rule);
      for (const name of rule.makes) present.add(name);
    }
  }
  return rules.filter((rule) => found.has(rule));
}

/** The names of the nodes of patterns. */
const namesIn = (patterns: ReadonlyArray<Pattern>): ReadonlySet<string> =>
  new Set(patterns.flatMap(subpatterns).flatMap((p) => nameOf(p) ?? []));

function nameOf(p: Pattern): string | undefined {
  if (p._tag === 'Call') return p.op;
  if (p._tag === 'Tuple') return TUPLE;
  return p._tag === 'Field' ? FIELD : undefined;
}
