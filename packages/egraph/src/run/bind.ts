import type { Diagnostic } from '@baton/base';
import type { EGraph } from '../egraph.ts';
import type { ClassId } from '../ids.ts';
import { checkOperator, readLeaf } from '../language.ts';
import type { Recording } from '../match/apply.ts';
import type { MatchBuffer } from '../match/buffer.ts';
import type { CodeGeneration, RuleCode } from '../match/code.ts';
import { rootCount, type Search } from '../match/interpret.ts';
import type { OperatorRef } from '../match/program.ts';
import { patternsOf, subpatterns } from '../pattern.ts';
import { type Applier, type Condition, isApplier, type Rewrite } from '../rewrite.ts';

/** One rule, made ready for one e-graph. */
export interface BoundRule<D> {
  readonly name: string;
  readonly code: RuleCode;
  readonly leftOperators: Int32Array;
  readonly rightOperators: Int32Array;
  /** Numbers per match. */
  readonly stride: number;
  readonly withNodes: boolean;
  /** Whether looking at new matches only is enough. */
  readonly incremental: boolean;
  readonly conditions: ReadonlyArray<BoundCondition<D>>;
  readonly applier: Applier<D> | undefined;
  /** What is logged, if the e-graph keeps explanations. */
  readonly recording: Recording | undefined;
}

interface BoundCondition<D> {
  readonly check: Condition<D>['check'];
  /** Where in a match each class is. */
  readonly places: ReadonlyArray<number>;
}

/** A rule for an e-graph, or what the language says against it. */
export function bindRule<D>(
  egraph: EGraph<D>,
  rule: Rewrite<D>,
  wrong: Diagnostic[],
): BoundRule<D> {
  const { program, builder } = rule.code;
  const log = egraph.proofs;
  const withNodes = log !== undefined;
  const matched = program.slots;
  const variables = program.variables.length;
  const applier = isApplier(rule.right) ? rule.right : undefined;
  return {
    name: rule.name,
    code: rule.code,
    leftOperators: bindOperators(egraph, program.operators, wrong),
    rightOperators: bindOperators(egraph, builder?.operators ?? [], wrong),
    stride: 1 + variables + (withNodes ? matched : 0),
    withNodes,
    incremental: isIncremental(rule),
    conditions: rule.conditions.map(({ check, variables: names }) => ({
      check,
      places: names.map((name) => 1 + program.variables.indexOf(name)),
    })),
    applier,
    recording:
      log === undefined || builder === undefined
        ? undefined
        : {
            log,
            rule: log.numberOf(rule.name),
            variables,
            matched,
          },
  };
}

/** The operators of a program as ids of an e-graph. */
export function bindOperators<D>(
  egraph: EGraph<D>,
  refs: ReadonlyArray<OperatorRef>,
  wrong: Diagnostic[],
): Int32Array {
  return Int32Array.from(refs, (ref) => {
    const { name, payload } = ref.isToken ? readLeaf(egraph.language, ref.name) : ref;
    const { arity } = ref;
    const problem = checkOperator(egraph.language, name, payload, arity);
    if (problem !== undefined) wrong.push(problem);
    return egraph.operator(name, arity, payload).id;
  });
}

/** The matcher and the number of root positions to give it. */
export function searchOf<D>(
  egraph: EGraph<D>,
  rule: BoundRule<D>,
  mode: CodeGeneration,
  delta: boolean,
): { readonly search: Search; readonly roots: number } {
  const { store, tables } = egraph;
  const roots = rootCount(rule.code.program, store, tables, rule.leftOperators);
  return { search: rule.code.search(mode, rule.withNodes, delta, roots), roots };
}

/** The conditions of a rule as a question about the match at an offset of the buffer. */
export function guardOf<D>(
  egraph: EGraph<D>,
  rule: BoundRule<D>,
  buffer: MatchBuffer,
): ((at: number) => boolean) | undefined {
  const { conditions } = rule;
  if (conditions.length === 0) return undefined;
  const { store } = egraph;
  const id = (at: number): ClassId => store.find(buffer.data[at] as number) as ClassId;
  const checks = conditions.map(({ check, places }) => {
    const [a, b] = places;
    if (places.length === 1 && a !== undefined) return (at: number) => check(egraph, id(at + a));
    if (places.length === 2 && a !== undefined && b !== undefined) {
      return (at: number) => check(egraph, id(at + a), id(at + b));
    }
    return (at: number) => check(egraph, ...places.map((place) => id(at + place)));
  });
  const [only] = checks;
  if (checks.length === 1) return only;
  return (at) => checks.every((check) => check(at));
}

/** Applies the matches in a stretch of the buffer; how many changed something. */
export function applyRange<D>(
  egraph: EGraph<D>,
  rule: BoundRule<D>,
  mode: CodeGeneration,
  buffer: MatchBuffer,
  from: number,
  to: number,
  guard: ((at: number) => boolean) | undefined,
): number {
  const { stride, rightOperators, recording } = rule;
  const apply = rule.code.apply(mode, (to - from) / stride, recording !== undefined);
  return apply === undefined
    ? applyFunction(egraph, rule, buffer, from, to, guard)
    : apply(egraph.store, rightOperators, buffer.data, from, to, stride, guard, recording);
}

function applyFunction<D>(
  egraph: EGraph<D>,
  rule: BoundRule<D>,
  buffer: MatchBuffer,
  from: number,
  to: number,
  guard: ((at: number) => boolean) | undefined,
): number {
  const { variables } = rule.code.program;
  let applied = 0;
  for (let at = from; at < to; at += rule.stride) {
    if (guard !== undefined && !guard(at)) continue;
    const id = (offset: number): ClassId =>
      egraph.find(buffer.data[at + offset] as number as ClassId);
    const before = egraph.store.unions;
    const made = rule.applier?.apply({
      egraph,
      root: id(0),
      get: (name) => id(1 + variables.indexOf(name)),
    });
    if (made !== undefined) egraph.union(made, id(0), rule.name);
    if (egraph.store.unions !== before) applied++;
  }
  return applied;
}

/**
 * Whether every match that comes true does so with a row that has changed: not if a condition reads
 * more than the data of children, if an applier may read anything, or if there is no row.
 */
function isIncremental<D>(rule: Rewrite<D>): boolean {
  const [first] = rule.code.program.instructions;
  if (isApplier(rule.right) || first?._tag !== 'Scan') return false;
  // The variables that stand below an operator.
  const below = subpatterns(patternsOf(rule.left)).flatMap((p) =>
    p._tag === 'Node' ? p.children : [],
  );
  const children = new Set(below.map((p) => (p._tag === 'Variable' ? p.name : '')));
  return rule.conditions.every(
    ({ reads, variables }) =>
      reads === 'match' || (reads === 'data' && variables.every((name) => children.has(name))),
  );
}
