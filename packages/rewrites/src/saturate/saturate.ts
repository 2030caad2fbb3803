/** The engine that keeps all sides of all rules: equality saturation. */

import {
  aBoolean,
  aFunction,
  aLimit,
  atCaller,
  type Budget,
  checkOptions,
  isLeft,
  isRight,
  type OptionTypes,
  oneOfThese,
  orThrow,
  right,
} from '@baton/base';
import {
  type Iteration,
  type NodeId,
  type ReadableEGraph,
  type Rewrite,
  run,
  type StopReason,
  simpleScheduler,
} from '@baton/egraph';
import {
  type Expr,
  type Func,
  type IRModule,
  inferTypes,
  isStateful,
  withFunctions,
} from '@baton/ir';
import {
  type Count,
  functionPass,
  inferType,
  isOpaque,
  type Pass,
  refusedPass,
  withBody,
} from '@baton/pass-manager';
import { type NodeCost, roofline } from '../cost.ts';
import { dividesBeforeSteps } from '../match/before-steps.ts';
import { computed, withBoundConstants } from '../match/fold.ts';
import { aCost, aName } from '../options.ts';
import { needsOfRules, refusalsOf, rowsOf } from '../rule/rows.ts';
import { phasesOf, type RuleInput, rulesOf } from '../rule/rule.ts';
import { withoutNames } from './aliases.ts';
import { assemble } from './assemble.ts';
import { type Block, makeBlocks } from './blocks.ts';
import { type BlockChoice, choose, EXTRACTORS, type Found } from './choice.ts';
import { costsOf, type ModuleCosts, moduleCosts } from './costs.ts';
import { CROSS_SCOPE_ROWS, crossing } from './cross-scope.ts';
import { labelOf, makeLanguage } from './language.ts';
import { type LazyRule, lazyRules, possibleRewrites } from './possible-rules.ts';
import type { ClassFacts, Region, RegionOptions } from './region.ts';
import { regionFor } from './regions.ts';
import { inlined, outlined } from './repeated-subgraphs.ts';
import { resultOf, type SearchResult } from './result.ts';
import { FIELD_ROW, fieldOfTuple } from './rules.ts';
import { aSchedule, type Schedule, schedulerOf } from './schedule.ts';

/** The options of equality saturation. */
export interface SaturateOptions {
  /** The name of the pass in reports. @defaultValue `Saturate` */
  readonly name?: string;
  /** What the result must have less of. @defaultValue {@link roofline} */
  readonly cost?: NodeCost;
  /** The most rounds of all rules in a region. @defaultValue 30 */
  readonly iterationLimit?: number;
  /** The most nodes of a region's e-graph. @defaultValue 16,000 */
  readonly nodeLimit?: number;
  /**
   * The first rounds of a region, in which rules with several roots take part. What they make has
   * roots for them again. @defaultValue 1
   */
  readonly joinLimit?: number;
  /**
   * Which rules take part in a round: all, or all but those that match too often.
   * @defaultValue `{}`: backoff with its own numbers
   */
  readonly schedule?: Schedule;
  /**
   * How a program is taken out of an e-graph: by a heuristic for shared nodes, or by a search for the
   * cheapest one within a budget, never dearer. @defaultValue `greedy`
   */
  readonly extract?: 'greedy' | 'exact';
  /**
   * Drops bindings that are not used even if others notice them, as
   * `deadCodeElimination({ ignoreImpurity: true })` does. @defaultValue false
   */
  readonly ignoreImpurity?: boolean;
  /** Told of each round of rules in a region, with the e-graph as the round leaves it. */
  readonly onRound?: (round: SearchRound) => void;
  /** Told of the end of the search in each region. E-graphs keep proofs then, which costs memory. */
  readonly onResult?: (result: SearchResult) => void;
}

/** A round of rules in a region. */
export interface SearchRound {
  /**
   * The e-graph of the region, which is the part of a function that is evaluated in one scope: one object
   * for all rounds. To read, and only while the callback runs.
   */
  readonly graph: ReadableEGraph;
  /** A node in words: an operator with its attributes, a variable, a constant. */
  readonly label: (node: NodeId) => string;
  readonly report: Iteration;
}

const OPTIONS: OptionTypes<SaturateOptions> = {
  name: aName,
  cost: aCost,
  iterationLimit: aLimit,
  nodeLimit: aLimit,
  joinLimit: aLimit,
  schedule: aSchedule,
  extract: oneOfThese(Object.keys(EXTRACTORS)),
  ignoreImpurity: aBoolean,
  onRound: aFunction,
  onResult: aFunction,
};

/** The rows besides those of rules. */
const ROWS = {
  cheaper: 'blocks made cheaper',
  kept: 'kept: no block is cheaper',
  types: 'kept: the program would not have types',
  captured: 'kept: inner blocks take too much from outer ones',
} as const;

/** The rows for limits, by the reason why a run stopped. */
const STOPS: Partial<Readonly<Record<StopReason['_tag'], string>>> = {
  IterationLimit: 'stopped: iteration limit',
  NodeLimit: 'stopped: node limit',
  Stopped: 'stopped: by the host',
};

/** Counts the runs that rules were left out of at the end. */
const HELD = 'stopped: rules match too often';

/**
 * A pass that adds all sides of all rules to an e-graph for each scope of a function, and takes out
 * the cheapest program. The order of rules does not matter, and a rule that makes things worse by
 * itself may make others possible. Phases of rules run one after the other.
 *
 * A scope stays as it is unless the found program costs less. Calls of constants are computed on
 * the way, up to 4,096 elements.
 *
 * **Errors** when it is run: those of the rules, `RULE_OPERATOR`, `RULE_ARITY`, `RULE_ATTRIBUTE`,
 * and `OPTION_*`.
 *
 * **Source** Willsey et al., egg, 2021; Yang et al., Tensat, 2021.
 */
export function saturate(input: RuleInput, options: SaturateOptions = {}): Pass {
  const { name = 'Saturate' } = options;
  const rules = rulesOf(input);
  const problems = checkOptions('saturate', options, OPTIONS, saturate);
  if (isLeft(rules)) {
    return refusedPass(name, atCaller([...problems, ...rules.left], 'saturate', saturate));
  }
  if (problems.length > 0) return refusedPass(name, problems);
  const used = rules.right;
  const phases = phasesOf(used);
  const costs = moduleCosts(options.cost ?? roofline());
  return functionPass<string>({
    name,
    doc: `Finds the cheapest program by ${used.length} rules.`,
    level: 0,
    requires: [inferType],
    counters: [
      ...rowsOf(used),
      FIELD_ROW,
      ...Object.values(CROSS_SCOPE_ROWS),
      ...Object.values(ROWS),
    ],
    remarks: [...refusalsOf(used), ...Object.values(STOPS), HELD],
    needs: needsOfRules(used),
    run: (f, m, { count, budget }) => {
      if (isOpaque(f)) return right(f);
      let made: Func = f;
      for (const phase of phases) {
        const lazy = lazyRules(phase, m.ops);
        if (isLeft(lazy)) return lazy;
        const { shouldStop } = budget;
        const search = { m, rules: lazy.right, options, costs, count, shouldStop };
        made = saturated(made, search, (next) => hasTypes(m, f, next));
      }
      return right(made);
    },
  });
}

/** The function after a phase. */
function saturated(f: Func, phase: Phase, isTyped: (made: Func) => boolean): Func {
  const { m, options, count } = phase;
  const { ignoreImpurity = false } = options;
  const plain = withoutNames(f, m, (value) => !ignoreImpurity && isStateful(m, value));
  // A class may be used anywhere, so one quotient that must keep its rounding restricts all.
  const dividing = !dividesBeforeSteps(f, m);
  const keepsProofs = options.onResult !== undefined;
  // Of a replacement that tells more, a part that never runs may not take it.
  for (const tellsMore of [true, false]) {
    const counted: Parameters<Count>[] = [];
    const later: Count = (...row) => counted.push(row);
    const body = cheapest(plain, { ...phase, tellsMore, dividing, keepsProofs, count: later });
    const made = body === f.body ? f : withBody(f, body);
    if (made !== f && !isTyped(made)) continue;
    for (const row of counted) count(...row);
    return made;
  }
  count(ROWS.types);
  return f;
}

/** What runs together. */
interface Phase {
  readonly m: IRModule;
  readonly rules: ReadonlyArray<LazyRule>;
  readonly options: SaturateOptions;
  readonly costs: ModuleCosts;
  readonly count: Count;
  /** Ends the search where it is. */
  readonly shouldStop: Budget['shouldStop'];
}

/** What is searched in a function. */
interface Parts extends Phase, RegionOptions {}

/** The cheapest body that is found for a function. */
function cheapest(f: Func, parts: Parts): Expr {
  const { m, count, tellsMore } = parts;
  const { outer, subgraphs } = outlined(f, m);
  const bodies = new Map<Func, Expr>();
  let isCheaper = false;
  const bodyOf = (g: Func): Expr => {
    const found = searched(g, parts);
    isCheaper ||= found !== undefined;
    return found ?? g.body;
  };
  for (const subgraph of subgraphs) bodies.set(subgraph, bodyOf(subgraph));
  const whole = bodyOf(outer);
  if (!isCheaper) count(ROWS.kept);
  const body = bodies.size === 0 ? whole : inlined(whole, bodies, m);
  return computed(m, tellsMore ? body : withBoundConstants(body, m));
}

/** The cheapest body that is found for a function; `undefined` if it is its own. */
function searched(f: Func, parts: Parts): Expr | undefined {
  const { m, options, count } = parts;
  const { extract = 'greedy', onResult } = options;
  const blocks = makeBlocks(m);
  const choices = new Map<Block, BlockChoice>();
  const choiceOf = (block: Block): BlockChoice => choices.get(block) as BlockChoice;
  const costs = costsOf(f, blocks, choiceOf, parts.costs, m);
  const language = makeLanguage();
  const enter = (block: Block): void => {
    const region = regionFor(block, blocks, choiceOf, language, m, count, parts);
    do grow(region, parts);
    while (cross(region) > 0);
    const tell = onResult && ((found: Found) => onResult(resultOf(region, found, m, costs)));
    choices.set(block, choose(block, region, m, costs, extract, tell));
  };
  const cross = crossing({ m, blocks, choiceOf, enter });
  const own = blocks.enter(f.body);
  let captured = 0;
  for (const block of own) {
    enter(block);
    captured += choiceOf(block).outers.length;
    if (captured > MAX_CAPTURED) {
      count(ROWS.captured);
      return undefined;
    }
  }
  const cheaper = own.filter((block) => choiceOf(block).isCheaper).length;
  if (cheaper === 0) return undefined;
  count(ROWS.cheaper, cheaper);
  return assemble(blocks, own.at(-1) as Block, choiceOf, m);
}

/** The most expressions that inner blocks take from outer ones. */
const MAX_CAPTURED = 1_000_000;

/**
 * Applies all rules to a region until nothing is new, or a limit is reached; those with several roots in
 * the first rounds.
 */
function grow(region: Region, { rules, options, count, shouldStop }: Phase): void {
  const { iterationLimit = 30, nodeLimit = 16_000, joinLimit = 1, schedule = {} } = options;
  const { onRound } = options;
  const { graph } = region;
  const label = (node: NodeId): string => labelOf(graph.operatorOf(node));
  const scheduler = schedulerOf(schedule, graph.nodeCount, () => count(HELD));
  const joint = rules.filter(({ isJoint }) => isJoint);
  const single = rules.filter(({ isJoint }) => !isJoint);
  const round = (used: ReadonlyArray<LazyRule>, limit: number): void => {
    const able = (): ReadonlyArray<Rewrite<ClassFacts>> => {
      const rewrites = possibleRewrites(used, graph);
      return used === joint ? rewrites : [fieldOfTuple, ...rewrites];
    };
    const { stopReason, outcome } = run(graph, able, {
      iterationLimit: limit,
      nodeLimit,
      ...(shouldStop && { shouldStop }),
      ...(onRound && { onIteration: (report) => onRound({ graph, label, report }) }),
      // Those with several roots have a limit of their own.
      scheduler: used === joint ? simpleScheduler : scheduler,
    });
    // A run only fails on rules that are mistaken, and these are compiled.
    orThrow(outcome);
    const stopped = STOPS[stopReason._tag];
    if (stopped !== undefined && limit === iterationLimit) count(stopped);
  };
  // Early, while there are few roots: of those that meet, each choice is a match.
  for (let i = 0; i < joinLimit && joint.length > 0; i++) {
    round(single, 1);
    round(joint, 1);
  }
  round(single, iterationLimit);
}

function hasTypes(m: IRModule, f: Func, made: Func): boolean {
  const functions = new Map([...m.functions].map(([name, g]) => [name, g === f ? made : g]));
  return isRight(inferTypes(withFunctions(m, functions)));
}
