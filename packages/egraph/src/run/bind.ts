/** Rules bound to an e-graph. */
import type { Diagnostic } from '@baton/base';
import type { EGraph } from '../egraph.ts';
import type { ClassId, NodeId } from '../ids.ts';
import { checkOperator, readOperator } from '../language.ts';
import type { Apply, OperatorOf } from '../match/apply.ts';
import type { CodeGeneration } from '../match/code.ts';
import { rootRange, type Search } from '../match/interpret.ts';
import type { OperatorPattern, Program } from '../match/program.ts';
import {
  isHole,
  type PatternNode,
  partsOf,
  patternsOf,
  patternVariables,
  payloadVariable,
} from '../pattern.ts';
import { isApplier, type Match, type Rewrite } from '../rewrite.ts';

/** One rule, prepared for one e-graph. */
export interface BoundRule {
  readonly name: string;
  /** Numbers per match. */
  readonly stride: number;
  /** Whether searching only for new matches suffices. */
  readonly incremental: boolean;
  /** The epoch at which the rule was last searched and wholly applied; −1 if it never was. */
  searched: number;
  /** The matches of the last search. */
  matches: number;
  /** Whether no node of its operators has changed since then, so that there is no new match. */
  readonly isQuiet: () => boolean;
  /** The matcher, and its root positions. */
  readonly matcher: (delta: boolean) => Matcher;
  /** Applies the matches in a range of a buffer, and returns how many changed something. */
  readonly apply: (data: Int32Array, from: number, to: number) => number;
}

/** A matcher of a rule for a search in one e-graph. */
export interface Matcher {
  readonly from: number;
  readonly to: number;
  readonly search: Search;
  readonly operators: Int32Array;
}

/** A rule for an e-graph, or the language's objections to it. */
export function bindRule<D>(
  egraph: EGraph<D>,
  rule: Rewrite<D>,
  mode: CodeGeneration = 'auto',
  wrong: Diagnostic[],
): BoundRule {
  const { code, conditions, name, right } = rule;
  const { program, builder } = code;
  const { proofs: log, store, tables } = egraph;
  const stride = program.places.length + (log ? program.operators.length : 0);
  const operators = bindOperators(egraph, program.operators, wrong);
  const built = builder?.steps.map((step) => step.operator) ?? [];
  const rightOperators = bindOperators(egraph, built, wrong);
  const recording = log && { log, rule: log.numberOf(name) };

  // The matches being applied; conditions are checked for each by its place.
  let matches: Int32Array = new Int32Array(0);
  const checks = conditions.map(({ check, variables }) => {
    const values = variables.map((variable) => {
      const place = 1 + program.variables.indexOf(variable);
      // A condition gets the payload itself: see `whenPayload`.
      return program.payloads.has(variable)
        ? (at: number) => egraph.payloadAt(matches[at + place] as number) as ClassId
        : (at: number) => store.find(matches[at + place] as number) as ClassId;
    });
    const [a, b] = values;
    if (a && values.length === 1) return (at: number) => check(egraph, a(at));
    if (a && b && values.length === 2) return (at: number) => check(egraph, a(at), b(at));
    return (at: number) => check(egraph, ...values.map((value) => value(at)));
  });
  const operatorOf: OperatorOf = (step, number) => {
    const p = built[step] as PatternNode;
    return egraph.operator(p.name, p.children.length, egraph.payloadAt(number)).id;
  };
  const guard = checks.length < 2 ? checks[0] : (at: number) => checks.every((ask) => ask(at));

  const applyFunction: Apply = (_store, _operators, data, from, to) => {
    let applied = 0;
    for (let at = from; at < to; at += stride) {
      if (!isApplier(right) || guard?.(at) === false) continue;
      const before = store.unions;
      const match = matchAt(egraph, program, data, at);
      const made = right.apply(match);
      if (made !== undefined) egraph.union(made, match.root, name);
      if (store.unions !== before) applied++;
    }
    return applied;
  };

  const changes = program.operators.map((p, slot) => {
    const op = operators[slot] as number;
    return payloadVariable(p) === undefined
      ? () => tables.changed[op]
      : () => tables.familyChanged[op];
  });
  const bound: BoundRule = {
    name,
    stride,
    incremental: isIncremental(rule),
    searched: -1,
    matches: 0,
    isQuiet: () =>
      bound.incremental && changes.every((changed) => (changed() ?? -1) <= bound.searched),
    matcher: (delta) => {
      const [from, to] = rootRange(program, store, tables, operators);
      const variant = (delta ? 1 : 0) + (log ? 2 : 0);
      return { from, to, operators, search: code.search(mode, variant, to - from) };
    },
    apply: (data, from, to) => {
      matches = data;
      const uses = (to - from) / stride;
      const apply = code.apply?.(mode, log ? 1 : 0, uses) ?? applyFunction;
      return apply(store, rightOperators, data, from, to, stride, guard, recording, operatorOf);
    },
  };
  return bound;
}

/** The match at an index of a buffer. */
export function matchAt<D>(
  egraph: EGraph<D>,
  { variables }: Program,
  data: Int32Array,
  at: number,
): Match<D> {
  const read = (variable: string): number => data[at + 1 + variables.indexOf(variable)] as number;
  return {
    egraph,
    root: egraph.classOf(data[at] as NodeId),
    get: (variable) => egraph.classOf(read(variable) as NodeId),
    payload: (variable) => egraph.payloadAt(read(variable)),
  };
}

/** Operators as ids of an e-graph. */
export function bindOperators<D>(
  egraph: EGraph<D>,
  operators: ReadonlyArray<OperatorPattern>,
  wrong: Diagnostic[],
): Int32Array {
  return Int32Array.from(operators, (p) => {
    const head = readOperator(egraph.language, p);
    const arity = partsOf(p).length;
    const problem = checkOperator(egraph.language, head, arity);
    if (problem === undefined) {
      return isHole(head.payload)
        ? egraph.familyOf(head.name, arity)
        : egraph.operator(head.name, arity, head.payload).id;
    }
    wrong.push(problem);
    return -1;
  });
}

/**
 * Whether every new match contains a changed row. It may not if a condition reads more than the
 * data of children, if an applier may read anything, or if there is no row.
 */
function isIncremental<D>({ code, conditions, left, right }: Rewrite<D>): boolean {
  const [first] = code.program.instructions;
  if ((isApplier(right) && right.reads === 'anything') || first?._tag !== 'Scan') return false;
  const below = patternVariables(...patternsOf(left).flatMap(partsOf));
  return conditions.every(
    ({ reads, variables }) =>
      reads === 'match' || (reads === 'data' && variables.every((name) => below.includes(name))),
  );
}
