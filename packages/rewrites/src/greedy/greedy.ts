/** The greedy engine: rules applied wherever they match, until none does. */
import { aLimit, atCaller, checkOptions, isLeft, type OptionTypes, right } from '@baton/base';
import { type Expr, type Func, type IRModule, mapChildren, referenceCounts } from '@baton/ir';
import { isOpCall } from '@baton/ops';
import {
  type Count,
  functionPass,
  inferType,
  isOpaque,
  type MustKeep,
  type Pass,
  refined,
  refusedPass,
  rewriteFunc,
  withTypeOf,
} from '@baton/pass-manager';
import { type NodeCost, operatorCount } from '../cost.ts';
import { applyRule, type Refusal, type Step } from '../match/apply.ts';
import { type CompiledRule, compileRules } from '../match/compile.ts';
import { aCost, aName } from '../options.ts';
import { needsOfRules, refusedRow, rowsOf } from '../rule/rows.ts';
import { type Rule, type RuleInput, rulesOf } from '../rule/rule.ts';
import { type Gain, gainOf } from './gain.ts';
import { matchExpr } from './match.ts';

/** The options of the greedy engine. */
export interface GreedyOptions {
  /** The name of the pass in reports. @defaultValue `Greedy` */
  readonly name?: string;
  /** What a step must not increase. @defaultValue {@link operatorCount} */
  readonly cost?: NodeCost;
  /** The most walks through a function: rules that undo each other end there. @defaultValue 100 */
  readonly roundLimit?: number;
}

const OPTIONS: OptionTypes<GreedyOptions> = { name: aName, cost: aCost, roundLimit: aLimit };

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
  const { name = 'Greedy', cost = operatorCount, roundLimit = 100 } = options;
  const rules = rulesOf(input);
  const problems = checkOptions('greedy', options, OPTIONS, greedy);
  if (isLeft(rules))
    return refusedPass(name, atCaller([...problems, ...rules.left], 'greedy', greedy));
  if (problems.length > 0) return refusedPass(name, problems);
  const used = rules.right.filter(
    ({ orient, equations }) => orient !== 'both' && equations.length === 1,
  );
  return functionPass<string>({
    name,
    doc: `Applies ${used.length} rules wherever they match, until none does.`,
    level: 0,
    requires: [inferType],
    rows: [...rowsOf(used), STOPPED],
    needs: needsOfRules(used),
    run: (f, m, { count }) => {
      if (isOpaque(f)) return right(f);
      const compiled = compileRules(used, m.ops);
      if (isLeft(compiled)) return compiled;
      const byHead = headIndex(compiled.right);
      return right(
        refined(f, m, count, (mustKeep, counted) =>
          rounds(f, roundLimit, counted, (g) => walked(g, m, byHead, cost, mustKeep, counted)),
        ),
      );
    },
  });
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

type HeadIndex = (node: Expr) => ReadonlyArray<CompiledRule>;

/** The rules whose left side may match a node, by the operator or kind at its top. */
function headIndex(rules: ReadonlyArray<CompiledRule>): HeadIndex {
  const byHead = new Map<string, CompiledRule[]>();
  for (const compiled of rules) {
    const { left } = compiled.rule.equations[0];
    const head = left._tag === 'Call' ? left.op : HEADS[left._tag];
    if (head === undefined) continue;
    const known = byHead.get(head);
    if (known === undefined) byHead.set(head, [compiled]);
    else known.push(compiled);
  }
  return (node) => byHead.get(isOpCall(node) ? node.op.name : node._tag) ?? [];
}

/** The kind of expression that a pattern matches; an operator's name has no capital letter. */
const HEADS: Readonly<Record<string, string>> = { Tuple: 'Tuple', Field: 'TupleGetItem' };

/** The function after one walk from the leaves up. */
function walked(
  f: Func,
  m: IRModule,
  rulesFor: HeadIndex,
  cost: NodeCost,
  mustKeep: MustKeep,
  count: Count,
): Func {
  const counts = referenceCounts([f.body]);
  // The uses of rewritten expressions; what a rule has just made has one.
  const uses = new Map<Expr, number>();
  const gain = (was: Expr, step: Step): Gain => gainOf(was, step, (e) => uses.get(e) ?? 1, cost, m);
  return rewriteFunc(f, m, (node, get) => {
    let current = mapChildren(node, get);
    for (;;) {
      const next = firstStep(current, m, rulesFor(current), gain, count);
      if (next === undefined) break;
      current = mustKeep(current, next) ? withTypeOf(m, current, next) : next;
    }
    uses.set(current, (uses.get(current) ?? 0) + (counts.get(node) ?? 0));
    return current;
  });
}

/** The node after the first rule that may be applied. */
function firstStep(
  node: Expr,
  m: IRModule,
  rules: ReadonlyArray<CompiledRule>,
  gain: (was: Expr, step: Step) => Gain,
  count: Count,
): Expr | undefined {
  for (const compiled of rules) {
    const step = stepOf(node, m, compiled);
    if (step === undefined) continue;
    const { rule } = compiled;
    if (typeof step === 'string') count(refusedRow(rule, step));
    else if (isWorthIt(rule, gain(node, step))) {
      count(rule.name);
      return step.results[0];
    } else count(refusedRow(rule, 'cost'));
  }
  return undefined;
}

const isWorthIt = ({ orient }: Rule, { freed, made }: Gain): boolean =>
  orient === 'canonical' ? made <= freed : made < freed;

/** The step for the first order of arguments that matches and is not refused. */
function stepOf(node: Expr, m: IRModule, compiled: CompiledRule): Step | Refusal | undefined {
  let refusal: Refusal | undefined;
  for (const [left] of compiled.orders) {
    const bindings = left && matchExpr(left, node);
    if (bindings === undefined) continue;
    const step = applyRule(m, compiled, [node], bindings, 'stateless');
    if (typeof step !== 'string') return step;
    refusal ??= step;
  }
  return refusal;
}
