/** The replay of an explanation: each step on its own expression, and the entire program once. */
import {
  checkOptions,
  fail,
  failure,
  isLeft,
  type OptionTypes,
  type Result,
  right,
  wholeNumber,
} from '@baton/base';
import {
  checkEquivalent,
  checkPass,
  describeDifference,
  type Equivalence,
} from '@baton/equivalence';
import { type Expr, freeVars, func, type IRModule, irModule, postOrderExprs } from '@baton/ir';
import { FAST_MATH } from '@baton/pass-manager';
import { type Explanation, outlineOf, type Rule, type RuleStep } from '@baton/rewrites';
import { printModule } from '@baton/text';
import { explainedDiffers, stepDiffers } from '../diagnostics.ts';
import { directionsOf } from './engines.ts';
import { ruleFailure } from './failure.ts';

export interface ReplayOptions {
  /** The same seed yields the same inputs. Default: 0. */
  readonly seed?: number;
}

/** The result of a replay in which all sides were equal. */
export interface Replay {
  readonly steps: number;
  /** The steps that could not be compared: no regime applied, or parts that are no tensors. */
  readonly unknown: number;
}

const REPLAY_TYPES: OptionTypes<ReplayOptions> = { seed: wholeNumber(0) };

/**
 * Runs both sides of each step of an explanation on the same inputs, and the program before and
 * after. What both sides of a step have below them becomes parameters; if they differ then, they are
 * compared once more with all that is below them, since a rule may rely on it.
 *
 * **Errors** `OPTION_*`; `TESTING_RULE_DIFFERENT` names the rule of the first wrong step, with the
 * smallest program that shows it; `TESTING_STEP_DIFFERENT` if only this step does;
 * `TESTING_EXPLAINED_DIFFERENT` if only the whole programs differ.
 */
export function replay(explanation: Explanation, options: ReplayOptions = {}): Result<Replay> {
  const wrong = failure(checkOptions('replay', options, REPLAY_TYPES, replay));
  if (wrong !== undefined) return wrong;
  const { seed = 0 } = options;
  const { before, after, steps, rules } = explanation;
  let unknown = 0;
  for (const step of steps) {
    const rule = rules.find(({ name }) => step.rule === name || step.rule.startsWith(`${name}, `));
    const found = replayed(step, rule, before, seed);
    if (found === undefined || found.verdict === 'unknown') unknown++;
    else if (found.verdict === 'different') return wrongStep(step, rule, found, before, seed);
  }
  const needs = FAST_MATH.filter((word) => rules.some((rule) => rule.needs.includes(word)));
  const whole = checkEquivalent(before, after, { seed, needs });
  if (isLeft(whole)) return whole;
  return whole.right.verdict === 'different'
    ? fail(explainedDiffers(describeDifference(whole.right)))
    : right({ steps: steps.length, unknown });
}

/** The comparison of a step: of its outline if that suffices. */
function replayed(
  step: RuleStep,
  rule: Rule | undefined,
  m: IRModule,
  seed: number,
): Equivalence | undefined {
  const outline = compareSides(outlineOf(step, m), rule, m, seed);
  return outline?.verdict === 'different' ? compareSides(step, rule, m, seed) : outline;
}

interface Sides {
  readonly before: Expr;
  readonly after: Expr;
}

function compareSides(
  sides: Sides,
  rule: Rule | undefined,
  m: IRModule,
  seed: number,
): Equivalence | undefined {
  const [a, b] = [programOf(sides, sides.before, m), programOf(sides, sides.after, m)];
  const found = checkEquivalent(a, b, { seed, entry: ENTRY, needs: rule?.needs ?? [] });
  return isLeft(found) ? undefined : found.right;
}

const ENTRY = 'step';

function programOf({ before, after }: Sides, side: Expr, m: IRModule): IRModule {
  const params = [...new Set([...freeVars(before), ...freeVars(after)])];
  const callsGlobals = postOrderExprs([before, after]).some(({ _tag }) => _tag === 'GlobalVar');
  const others = callsGlobals ? m.functions : [];
  return irModule({ ...m, functions: new Map([...others, [ENTRY, func(params, side)]]) });
}

/** The failure of a step: of its rule, if the rule alone goes wrong on the same program. */
function wrongStep(
  step: RuleStep,
  rule: Rule | undefined,
  found: Equivalence,
  m: IRModule,
  seed: number,
): Result<never> {
  const program = programOf(step, step.before, m);
  const engines = rule === undefined ? [] : directionsOf(rule, m.ops).flatMap((d) => d.engines);
  for (const engine of engines) {
    const again = checkPass(engine, program, { seed, entry: ENTRY });
    if (rule === undefined || isLeft(again)) continue;
    const { equivalence } = again.right;
    if (equivalence.verdict !== 'different') continue;
    return ruleFailure(rule, engine, equivalence, program, { seed, entry: ENTRY });
  }
  const text = [step.before, step.after].map((side) =>
    printModule(programOf(step, side, m), { showTypes: false }),
  );
  return fail(stepDiffers(step.rule, describeDifference(found), text.join('\n')));
}
