/** The rules that may match in an e-graph: few programs have all operators of a table. */
import { andThen, failure, isLeft, orThrow, type Result, remember, right } from '@baton/base';
import type { Rewrite } from '@baton/egraph';
import type { OpTable } from '@baton/ir';
import { fusionColumn, type Pattern, subpatterns } from '@baton/ops';
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
  readonly takes: ReadonlyArray<string>;
  readonly makes: ReadonlyArray<string>;
  readonly rewrites: () => ReadonlyArray<Rewrite<ClassFacts>>;
}

/** A rule that may not have been read yet: its names in text, and its forms for a table. */
export interface UnreadRule {
  readonly takes: ReadonlyArray<string>;
  readonly makes: ReadonlyArray<string>;
  readonly forms: () => ReadonlyArray<LazyRule>;
}

const known = new WeakMap<OpTable, WeakMap<Rule, Result<UnreadRule>>>();

/**
 * The rules for a table of operators, in each direction in which they are used. Passes share them. Baton's
 * own rules are read when they may match: reading all of them takes a fifth of a short search.
 *
 * **Errors** `RULE_OPERATOR`, `RULE_ARITY`, `RULE_ATTRIBUTE`.
 */
export function lazyRules(
  rules: ReadonlyArray<Rule>,
  ops: OpTable,
): Result<ReadonlyArray<UnreadRule>> {
  const ofTable = remember(known, ops, () => new WeakMap());
  const found = rules.map((rule) =>
    remember(ofTable, rule, () => unread(rule, ops) ?? read(rule, ops)),
  );
  return (
    failure(found.flatMap((made) => (isLeft(made) ? made.left : []))) ??
    right(found.flatMap((made) => (isLeft(made) ? [] : made.right)))
  );
}

/** A rule of Baton by the names in its text; `undefined` if it has to be read. */
function unread(rule: Rule, ops: OpTable): Result<UnreadRule> | undefined {
  const { named, orient, operators } = rule;
  // Its operators are not in the text, or either side may be the left one.
  if (named === undefined || operators.size > 0 || orient === 'both') return undefined;
  if (!named.all.every((name) => ops.get(name) !== undefined)) return undefined;
  let forms: ReadonlyArray<LazyRule> | undefined;
  return right({
    // Operators with signs are made by texts that do not name them.
    takes: named.lefts.filter((name) => ops.read(fusionColumn, name) !== 'broadcast'),
    makes: named.all,
    forms: () => {
      forms ??= orThrow(formsOf(rule, ops));
      return forms;
    },
  });
}

const read = (rule: Rule, ops: OpTable): Result<UnreadRule> =>
  andThen(formsOf(rule, ops), (forms) => right({ takes: [], makes: [], forms: () => forms }));

const formsOf = (rule: Rule, ops: OpTable): Result<ReadonlyArray<LazyRule>> =>
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
  rules: ReadonlyArray<UnreadRule>,
  names: ReadonlySet<string>,
): ReadonlyArray<LazyRule> =>
  remember(
    remember(byNames, rules, () => new Map()),
    [...names].sort().join(),
    () =>
      reached(
        reached(rules, names).flatMap(({ forms }) => forms()),
        names,
      ),
  );

const byNames = new WeakMap<ReadonlyArray<UnreadRule>, Map<string, ReadonlyArray<LazyRule>>>();

function reached<R extends Pick<LazyRule, 'takes' | 'makes'>>(
  rules: ReadonlyArray<R>,
  names: ReadonlySet<string>,
): ReadonlyArray<R> {
  const present = new Set(names);
  const found = new Set<R>();
  for (let before = -1; before < found.size; ) {
    before = found.size;
    for (const rule of rules) {
      if (found.has(rule) || !rule.takes.every((name) => present.has(name))) continue;
      found.add(rule);
      for (const name of rule.makes) present.add(name);
    }
  }
  return rules.filter((rule) => found.has(rule));
}

/** The names of the nodes of patterns, each once. */
const namesIn = (patterns: ReadonlyArray<Pattern>): ReadonlyArray<string> => [
  ...new Set(patterns.flatMap(subpatterns).flatMap((p) => nameOf(p) ?? [])),
];

function nameOf(p: Pattern): string | undefined {
  if (p._tag === 'Call') return p.op;
  if (p._tag === 'Tuple') return TUPLE;
  return p._tag === 'Field' ? FIELD : undefined;
}
