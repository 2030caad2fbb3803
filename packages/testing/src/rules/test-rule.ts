/** A rule on many instances of its left side: whether both sides compute the same. */
import {
  aBoolean,
  andThen,
  aRecord,
  aText,
  checkOptions,
  fail,
  failure,
  isLeft,
  listOf,
  mulberry32,
  type OptionTypes,
  type Random,
  type Result,
  right,
  wholeNumber,
} from '@baton/base';
import {
  type Baseline,
  compareWithBaseline,
  type Equivalence,
  makeBaseline,
  REGIMES,
  type Regime,
} from '@baton/equivalence';
import { type IRModule, type OpTable, structuralEqual } from '@baton/ir';
import { standardOps } from '@baton/ops';
import { type Pass, passStatistics, runPass } from '@baton/pass-manager';

import {
  type Pattern,
  parsePattern,
  REASONS,
  type Reason,
  type Rule,
  refusedRow,
} from '@baton/rewrites';
import { type DType, isDType } from '@baton/tensor';
import { neverFired } from '../diagnostics.ts';

import { type Directed, directionsOf } from './engines.ts';
import { ruleFailure } from './failure.ts';
import { programAround } from './programs.ts';

export interface RuleTrialOptions {
  /** The instances on which each direction of the rule is used. Default: 50. */
  readonly count?: number;
  /** The same seed yields the same instances. Default: 0. */
  readonly seed?: number;
  /** The most programs made for one instance that fits. Default: 200. */
  readonly attempts?: number;
  /** @defaultValue `standardOps` */
  readonly ops?: OpTable;
  /**
   * Patterns of the programs to try, where few instances of the left side are ones that the rule
   * takes: each is a special case of it. Default: the left side.
   */
  readonly like?: ReadonlyArray<string>;
  /**
   * Whether constants lie at the ends of the range of their type, most of float16, and what is not
   * constant is large, too. Default: false.
   */
  readonly isExtreme?: boolean;
  /** The dtype of most tensors, in which the operators of the rule compute. Default: a float, drawn. */
  readonly dtype?: DType;
}

/** The result of a rule on instances that it keeps. */
export interface RuleTrial {
  readonly instances: number;
  /** All programs with its left side. */
  readonly programs: number;
  readonly refused: Readonly<Record<Reason, number>>;
  /** The instances that could not be compared, since no regime applied. */
  readonly unknown: number;
}

const TRIAL_TYPES: OptionTypes<RuleTrialOptions> = {
  count: wholeNumber(1),
  seed: wholeNumber(0),
  attempts: wholeNumber(1),
  ops: aRecord,
  like: listOf(aText, 'patterns'),
  isExtreme: aBoolean,
  dtype: { expected: 'a dtype', is: isDType },
};

/**
 * Makes random programs with the left side of a rule, applies the rule alone by each engine, and
 * compares before with after under the `needs` of the rule. Holes have ranks from 0 to 4, with sizes
 * that are mostly distinct; attributes have values of the operators' samplers. Of a rule in both
 * directions each is tried. A rule with several left sides is used by `saturate` alone.
 *
 * **Errors** `OPTION_*`; errors of the rule; `TESTING_RULE_DIFFERENT`, with the smallest program
 * found; `TESTING_RULE_NEVER_FIRED` if too few instances fit, since then little was tested.
 *
 * **Example** `orThrow(testRule(rule('x * 1', '?x * 1', '?x'))).instances`
 */
export function testRule(
  given: Rule | Result<Rule>,
  options: RuleTrialOptions = {},
): Result<RuleTrial> {
  const wrong = failure(checkOptions('testRule', options, TRIAL_TYPES, testRule));
  if (wrong !== undefined) return wrong;
  const rule = '_tag' in given && given._tag === 'Rule' ? right(given) : given;
  if (isLeft(rule)) return rule;
  const counts = noCounts();
  const random = mulberry32(options.seed ?? 0);
  for (const directed of directionsOf(rule.right, options.ops ?? standardOps)) {
    const failed = tryDirection(directed, options, random, counts);
    if (failed !== undefined) return failed;
  }
  return right(counts);
}

type Counts = { -readonly [K in keyof RuleTrial]: RuleTrial[K] } & {
  readonly refused: Record<Reason, number>;
};

const noCounts = (): Counts => ({
  instances: 0,
  programs: 0,
  refused: Object.fromEntries(REASONS.map((reason) => [reason, 0])) as Record<Reason, number>,
  unknown: 0,
});

/** The left sides of which programs hold instances. */
function formsOf(
  { rule, lefts }: Directed,
  like: ReadonlyArray<string> | undefined,
): Result<ReadonlyArray<ReadonlyArray<Pattern>>> {
  if (like === undefined) return right(lefts);
  const read = like.map((text) => parsePattern(text, `like ${rule.name}`));
  return (
    failure(read.flatMap((p) => (isLeft(p) ? p.left : []))) ??
    right(read.flatMap((p) => (isLeft(p) ? [] : [[p.right]])))
  );
}

function tryDirection(
  directed: Directed,
  options: RuleTrialOptions,
  random: Random,
  counts: Counts,
): Result<never> | undefined {
  const { count = 50, attempts = 200, ops = standardOps } = options;
  // On a grid nothing rounds, but sums of numbers of different magnitudes do.
  const regimes = options.isExtreme ? REGIMES.filter((regime) => regime !== 'grid') : REGIMES;
  const found = formsOf(directed, options.like);
  if (isLeft(found)) return found;
  const forms = found.right;
  let fired = 0;
  for (let tries = 0; fired < count; tries++) {
    if (tries >= count * attempts) return fail(neverFired(directed.rule, fired, count, tries));
    const seed = Math.floor(random() * 0x7fffffff);
    const lefts = forms[tries % forms.length];
    const m = lefts && programAround(lefts, ops, seed, options);
    if (m === undefined) continue;
    counts.programs++;
    const used = useRule(directed, m, seed, counts, regimes);
    if (used === 'fired') fired++;
    else if (used !== 'refused') return used;
  }
  counts.instances += fired;
  return undefined;
}

/** Runs the engines on a program, and compares it with each different one that they make of it. */
function useRule(
  { rule, engines }: Directed,
  m: IRModule,
  seed: number,
  counts: Counts,
  regimes: ReadonlyArray<Regime>,
): 'fired' | 'refused' | Result<never> {
  const baseline = makeBaseline(m, { seed });
  if (isLeft(baseline)) return baseline;
  const made: IRModule[] = [];
  for (const engine of engines) {
    const result = runPass(engine)(m);
    if (isLeft(result)) return result;
    const { module, report } = result.right;
    const rows = passStatistics(report).get(engine.name) ?? {};
    for (const reason of REASONS) counts.refused[reason] += rows[refusedRow(rule, reason)] ?? 0;
    // The first engine takes each step that others take.
    if (module === m && made.length === 0) return 'refused';
    if (module === m || made.some((other) => structuralEqual(other, module))) continue;
    made.push(module);
    const found = compared(engine, baseline.right, module, regimes);
    if (isLeft(found)) return found;
    if (found.right.verdict === 'unknown') counts.unknown++;
    if (found.right.verdict === 'different') {
      return ruleFailure(rule, engine, found.right, m, { seed, entry: 'main' });
    }
  }
  return 'fired';
}

/** A program before and after an engine, which runs on its float64 version, too. */
function compared(
  engine: Pass,
  before: Baseline,
  after: IRModule,
  regimes: ReadonlyArray<Regime>,
): Result<Equivalence> {
  const wide = before.wide();
  const made = isLeft(wide) ? undefined : runPass(engine)(wide.right);
  const second = { native: after, wide: made && andThen(made, ({ module }) => right(module)) };
  return compareWithBaseline(before, second, { needs: engine.needs, regimes });
}
