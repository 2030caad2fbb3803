/** The rules that may match in an e-graph: few programs have all the nodes that rules ask for. */
import { andThen, failure, isLeft, once, orThrow, type Result, remember, right } from '@baton/base';
import type { EGraph, Rewrite } from '@baton/egraph';
import type { OpTable } from '@baton/ir';
import { fusionColumn, type Pattern } from '@baton/ops';
import { bothWays } from '../match/both-ways.ts';
import { type CompiledRule, checkRules, compiledFor } from '../match/compile.ts';
import { operatorsOf } from '../rule/instances.ts';
import type { Rule } from '../rule/rule.ts';
import { type Edges, edgesOf, mayMatch } from './edges.ts';
import type { ClassFacts } from './region.ts';
import { rewriteOf } from './rules.ts';

/** A rule for a table of operators, whose text may not have been read yet. */
export interface LazyRule {
  /** Whether it has several roots. */
  readonly isJoint: boolean;
  /** The rewrites that may match where an e-graph has these edges, one for each order of arguments. */
  readonly possible: (edges: Edges) => ReadonlyArray<Rewrite<ClassFacts>>;
}

const known = new WeakMap<OpTable, WeakMap<Rule, Result<LazyRule>>>();

/**
 * The rules for a table of operators, in each direction in which they are used. Passes share them. Baton's
 * own rules are read when they may match: reading all of them takes a fifth of a short search.
 *
 * **Errors** `RULE_OPERATOR`, `RULE_ARITY`, `RULE_ATTRIBUTE`.
 */
export function lazyRules(
  rules: ReadonlyArray<Rule>,
  ops: OpTable,
): Result<ReadonlyArray<LazyRule>> {
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
function unread(rule: Rule, ops: OpTable): Result<LazyRule> | undefined {
  const { named, orient, together } = rule;
  if (named === undefined) return undefined;
  const { lefts, rights } = named;
  if (![...lefts, ...rights].every((name) => ops.get(name) !== undefined)) return undefined;
  const isPresent = (names: ReadonlyArray<string>, edges: Edges): boolean =>
    names.every((name) => edges.hasName(name) || ops.read(fusionColumn, name) === 'broadcast');
  const isPossible = (edges: Edges): boolean =>
    (isPresent(lefts, edges) &&
      mayMatchAll(
        rule.equations.map(({ left }) => left),
        edges,
        ops,
      )) ||
    (orient === 'both' && isPresent(rights, edges));
  let whole: LazyRule | undefined;
  return right({
    isJoint: together > 1,
    possible: (edges) => {
      if (whole === undefined && isPossible(edges)) whole = orThrow(read(rule, ops));
      return whole?.possible(edges) ?? [];
    },
  });
}

/** A rule whose forms are compiled when an e-graph has their operators. */
function read(rule: Rule, ops: OpTable): Result<LazyRule> {
  const { chosen, operators, orient, together } = rule;
  const [hole] = operators;
  const choices: ReadonlyArray<Rule['chosen']> =
    hole === undefined
      ? [chosen]
      : operatorsOf(hole[1], ops, chosen).map((name) => new Map([[hole[0], name]]));
  const forms = choices.map((choice) => ({
    // From right to left, the left side may be without the operator.
    isThere: ({ hasName }: Edges) => orient === 'both' || [...choice.values()].every(hasName),
    possible: once(() =>
      compiledFor(rule, ops, choice)
        .flatMap((compiled) => bothWays(compiled, ops))
        .map((compiled) => formOf(compiled, ops)),
    ),
  }));
  return andThen(checkRules([rule], ops), () =>
    right({
      isJoint: together > 1,
      possible: (edges) =>
        forms
          .filter(({ isThere }) => isThere(edges))
          .flatMap(({ possible }) => possible().flatMap((rewritesFor) => rewritesFor(edges))),
    }),
  );
}

/** The rewrites of a compiled rule, each made when it may match for the first time. */
function formOf(compiled: CompiledRule, ops: OpTable): LazyRule['possible'] {
  const made: Rewrite<ClassFacts>[] = [];
  return (edges) => {
    if (!mayMatchAll(compiled.lefts, edges, ops)) return [];
    return compiled.orders.flatMap((lefts, order) => {
      if (!lefts.every((left) => mayMatch(left, edges, ops, 'written'))) return [];
      made[order] ??= rewriteOf(compiled, order, ops);
      return made[order];
    });
  };
}

/** Whether all left sides may match in some order of their arguments. */
const mayMatchAll = (lefts: ReadonlyArray<Pattern>, edges: Edges, ops: OpTable): boolean =>
  lefts.every((left) => mayMatch(left, edges, ops, 'any'));

/** The rewrites of rules that may match in an e-graph as it is now, in their order. */
export function possibleRewrites(
  rules: ReadonlyArray<LazyRule>,
  graph: EGraph<ClassFacts>,
): ReadonlyArray<Rewrite<ClassFacts>> {
  const edges = edgesOf(graph);
  return rules.flatMap(({ possible }) => possible(edges));
}
