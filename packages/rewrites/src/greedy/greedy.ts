/** The greedy engine: rules applied wherever they match, until none does. */
import {
  aBoolean,
  aFunction,
  aLimit,
  andThen,
  aText,
  atCaller,
  checkOptions,
  isLeft,
  largeWeakMap,
  type OptionTypes,
  oneOfThese,
  type Result,
  remember,
  right,
  wholeNumber,
} from '@baton/base';
import {
  type Expr,
  type Func,
  type IRModule,
  mapTyped,
  type OpTable,
  referenceCounts,
  rewriteExpr,
} from '@baton/ir';
import {
  type Count,
  functionPass,
  inferType,
  isOpaque,
  type MustKeep,
  PASS_SUBJECTS,
  type Pass,
  type PassSubject,
  type RunningContext,
  refined,
  refusedPass,
  type Timed,
  visibleIn,
  withBody,
  withTypeOf,
} from '@baton/pass-manager';
import { type NodeCost, operatorCount } from '../cost.ts';
import { type Allowance, applyRule, IN_PLACE, type Refusal, type Step } from '../match/apply.ts';
import { beforeSteps } from '../match/before-steps.ts';
import { type Bindings, clearBindings, emptyBindings } from '../match/bindings.ts';
import { type CompiledRule, checkRules } from '../match/compile.ts';
import { CONSTANTS } from '../match/fold.ts';
import type { Recording, RuleStep } from '../match/steps.ts';
import { aCost, aName } from '../options.ts';
import { needsOfRules, refusalsOf, refusedRow, rowsOf } from '../rule/rows.ts';
import { type RuleInput, rulesOf } from '../rule/rule.ts';
import { type Gain, gainOf, isWorthIt } from './gain.ts';
import { type HeadIndex, headIndex } from './heads.ts';
import { matches } from './match.ts';

/** The options of the greedy engine. */
export interface GreedyOptions extends Recording {
  /** The name of the pass in reports. @defaultValue `Greedy` */
  readonly name?: string;
  /** One sentence about the pass. @defaultValue counts the rules */
  readonly doc?: string;
  /** The lowest optimization level at which a pipeline runs the pass. @defaultValue 0 */
  readonly level?: number;
  /** What a step must not increase. @defaultValue {@link operatorCount} */
  readonly cost?: NodeCost;
  /** Chooses the expressions of a function that rules may replace. @defaultValue all */
  readonly where?: (f: Func, m: IRModule) => (node: Expr) => boolean;
  /** The most elements of a constant that a step computes. @defaultValue any number */
  readonly constantSize?: number;
  /** Leaves out rules about operators that the program's table lacks, in place of an error. */
  readonly skipUnknown?: boolean;
  /** Whether the rules come to an end everywhere. @defaultValue if each of them shrinks */
  readonly isIdempotent?: boolean;
  /** The kind of programs that the rules are about. @defaultValue `algebra` */
  readonly subject?: PassSubject;
  /**
   * The most walks through a function, and the most steps at a node in each: rules that undo each other
   * end there. @defaultValue 100
   */
  readonly roundLimit?: number;
}

const OPTIONS: OptionTypes<GreedyOptions> = {
  name: aName,
  doc: aText,
  level: wholeNumber(0),
  cost: aCost,
  constantSize: wholeNumber(0),
  where: aFunction,
  skipUnknown: aBoolean,
  isIdempotent: aBoolean,
  subject: oneOfThese(PASS_SUBJECTS),
  roundLimit: aLimit,
  onStep: aFunction,
};

/** Counts walks that ended at the limit. */
const STOPPED = 'stopped: round limit';

/**
 * A pass that applies rules from the leaves up, the first that fits, until none does.
 *
 * A rule that shrinks is applied if the nodes that it makes cost less than those that are no longer
 * used; a canonical one if they cost no more. So the cost of a function never rises. Rules in both
 * directions are left out: nothing says which side is better.
 *
 * **Errors** when it is run: those of the rules, `RULE_OPERATOR`, `RULE_ARITY`, `RULE_ATTRIBUTE`,
 * and `OPTION_*`.
 *
 * **Complexity** linear in the function for each walk, times the rules for a node's operator.
 */
export function greedy(input: RuleInput, options: GreedyOptions = {}): Pass {
  const { name = 'Greedy', skipUnknown = false } = options;
  const rules = rulesOf(input);
  const problems = checkOptions('greedy', options, OPTIONS, greedy);
  if (isLeft(rules))
    return refusedPass(name, atCaller([...problems, ...rules.left], 'greedy', greedy));
  if (problems.length > 0) return refusedPass(name, problems);
  const used = rules.right.filter(({ orient, together }) => orient !== 'both' && together === 1);
  // A program and its successors have one table.
  const indexes = new WeakMap<OpTable, Result<HeadIndex>>();
  const indexFor = (ops: OpTable) =>
    remember(indexes, ops, () =>
      andThen(checkRules(used, ops, { skipUnknown }), (r) => right(headIndex(r, ops))),
    );
  return functionPass<string>({
    name,
    doc: options.doc ?? `Applies ${used.length} rules wherever they match, until none does.`,
    level: options.level ?? 0,
    requires: [inferType],
    counters: rowsOf(used),
    remarks: [...refusalsOf(used), STOPPED, CONSTANTS],
    needs: needsOfRules(used),
    subject: options.subject ?? 'algebra',
    isIdempotent: options.isIdempotent ?? used.every(({ orient }) => orient === 'shrink'),
    run: (f, m, context) => {
      if (isOpaque(f)) return right(f);
      return andThen(indexFor(m.ops), (rulesFor) =>
        right(rewritten(f, m, rulesFor, options, context)),
      );
    },
  });
}

/** The function after all steps. */
function rewritten(
  f: Func,
  m: IRModule,
  rulesFor: HeadIndex,
  options: GreedyOptions,
  { count, timed }: RunningContext,
): Func {
  const { cost = operatorCount, roundLimit = 100, constantSize = IN_PLACE.constantSize } = options;
  const allows: Allowance = {
    ...IN_PLACE,
    constantSize,
    computing: (work) => timed(CONSTANTS, work),
  };
  const isChosen = options.where?.(f, m) ?? (() => true);
  const { onStep } = options;
  const site = {
    ...{ m, rulesFor, allows, timed, cost, isChosen, stepLimit: roundLimit },
    bindings: emptyBindings<Expr>(),
  };
  let steps: RuleStep[] = [];
  const made = refined(f, m, count, (mustKeep, counted) => {
    // Those of the last attempt, whose result is taken.
    steps = [];
    const record = onStep && ((step: RuleStep): void => void steps.push(step));
    const walk: Walk = { ...site, mustKeep, count: counted, record };
    return rounds(f, roundLimit, counted, (g) => walked(g, walk));
  });
  if (made !== f && onStep !== undefined) steps.forEach(onStep);
  return made;
}

/** The function after walks until one changes nothing. */
function rounds(f: Func, limit: number, count: Count, walk: (f: Func) => Func): Func {
  let current = f;
  for (let round = 0; round < limit; round++) {
    const next = walk(current);
    if (next === current) return current;
    current = next;
  }
  count(STOPPED);
  return current;
}

/** The surroundings of all walks through a function. */
interface Walk {
  readonly m: IRModule;
  readonly rulesFor: HeadIndex;
  readonly allows: Allowance;
  /** Takes the time of steps by rules. */
  readonly timed: Timed;
  readonly cost: NodeCost;
  readonly isChosen: (node: Expr) => boolean;
  readonly mustKeep: MustKeep;
  readonly count: Count;
  /** Called with each step, if steps are reported: a step keeps the expression that it replaces alive. */
  readonly record: ((step: RuleStep) => void) | undefined;
  /** The most steps at a node: rules that undo each other leave it to the next walk. */
  readonly stepLimit: number;
  /** Those of the latest match: most matches fail, and leave nothing to keep. */
  readonly bindings: Bindings;
}

/** The function after one walk from the leaves up. */
function walked(f: Func, walk: Walk): Func {
  const { m, cost, isChosen, mustKeep } = walk;
  const counts = referenceCounts([f.body]);
  const stepped = beforeSteps(f, m);
  const exactly: Walk = { ...walk, allows: { ...walk.allows, dividing: false } };
  // The uses of rewritten expressions; what a rule has just made has one. Most are soon replaced.
  const uses = largeWeakMap<Expr, number>();
  const gain = (was: Expr, step: Step): Gain => gainOf(was, step, uses, cost, m);
  const step = onceForField((at, surroundings) => firstStep(at, gain, surroundings));
  const rewrite = (node: Expr, get: (part: Expr) => Expr): Expr => {
    let current = mapTyped(m, node, get);
    for (let steps = 0; isChosen(node) && steps < walk.stepLimit; steps++) {
      const next = step(current, stepped.has(node) ? exactly : walk);
      if (next === undefined) break;
      current = mustKeep(current, next) ? withTypeOf(m, current, next) : next;
    }
    uses.set(current, (uses.get(current) ?? 0) + (counts.get(node) ?? 0));
    return current;
  };
  return withBody(f, rewriteExpr(f.body, rewrite, visibleIn(f.body, m).order, counts));
}

/** A step that is made once for all projections of the same field of a tuple: they share its result. */
function onceForField(step: (node: Expr, walk: Walk) => Expr | undefined): typeof step {
  const made = new Map<Expr, Map<number, Expr>>();
  return (node, walk) => {
    if (node._tag !== 'TupleGetItem') return step(node, walk);
    const next = made.get(node.tuple)?.get(node.index) ?? step(node, walk);
    if (next !== undefined) remember(made, node.tuple, () => new Map()).set(node.index, next);
    return next;
  };
}

/** The node after the first rule that may be applied. */
function firstStep(
  node: Expr,
  gain: (was: Expr, step: Step) => Gain,
  walk: Walk,
): Expr | undefined {
  const { rulesFor, count, record } = walk;
  for (const compiled of rulesFor(node)) {
    const { rule } = compiled;
    const step = stepOf(node, compiled, walk);
    if (step === undefined) continue;
    if (typeof step === 'string') count(refusedRow(rule, step));
    else if (isWorthIt(rule, gain(node, step))) {
      count(rule.name);
      const [after] = step.results;
      if (after !== undefined) record?.({ rule: rule.name, before: node, after });
      return after;
    } else count(refusedRow(rule, 'cost'));
  }
  return undefined;
}

/**
 * The step for the first order of arguments that matches and is not refused. To find that none matches
 * takes no longer than to look at a clock.
 */
function stepOf(
  node: Expr,
  compiled: CompiledRule,
  { m, allows, timed, bindings }: Walk,
): Step | Refusal | undefined {
  let refusal: Refusal | undefined;
  for (const [left] of compiled.orders) {
    clearBindings(bindings);
    if (left === undefined || !matches(left, node, bindings, m)) continue;
    const step = timed(compiled.rule.name, () => applyRule(m, compiled, [node], bindings, allows));
    if (typeof step !== 'string') return step;
    refusal ??= step;
  }
  return refusal;
}
