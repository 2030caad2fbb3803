/** Checks that two programs compute the same, and that a pass keeps a program's results. */
import {
  aRecord,
  checkOptions,
  DiagnosticsError,
  fail,
  failure,
  isLeft,
  left,
  type OptionTypes,
  type Result,
  right,
} from '@baton/base';
import type { Executor } from '@baton/executor';
import { type IRModule, inferTypes, type Type, typeEqual, typeOf } from '@baton/ir';
import {
  FAST_MATH,
  type FastMath,
  needsOf,
  type Pass,
  type PassContextParts,
  type PassReport,
  type PassResult,
  runPass,
} from '@baton/pass-manager';
import { printType } from '@baton/text';
import { type Baseline, makeBaseline } from './baseline.ts';
import { noEntry, otherSignature } from './diagnostics.ts';
import { exactInFloat64, hasConstantsOf } from './exact-constants.ts';
import { hasCallOf, isSimulated } from './observe.ts';
import { isRefinedBy } from './refines.ts';
import { compareOnGrid } from './regimes/grid.ts';
import { compareNative } from './regimes/native.ts';
import { compareShadow } from './regimes/shadow.ts';
import { compareSpecial } from './regimes/special.ts';
import {
  EQUIVALENCE_TYPES,
  type Equivalence,
  type EquivalenceOptions,
  notApplied,
  REGIMES,
  type Regime,
  type RegimeVerdict,
  summarize,
} from './verdicts.ts';
import { widen, widenType } from './widen.ts';

/**
 * Whether two programs compute the same, checked by running both on inputs of four kinds
 * ([ADR 5](https://batonjs.github.io/baton/adr/0005-what-equivalent-means)), which depend only on
 * the seed.
 *
 * The shadow applies only if no constant of the second program was rounded to a narrower float;
 * `checkPass` has no such restriction.
 *
 * A module that `runPass` made carries the `needs` of its passes, which are allowed unless
 * `options.needs` says otherwise. Printing and parsing loses them; the report of the run keeps
 * them.
 *
 * **Errors** `OPTION_*`, `EQUIV_NO_ENTRY`, `EQUIV_SIGNATURE`; errors of `inferTypes`.
 */
export function checkEquivalent(
  a: IRModule,
  b: IRModule,
  options: EquivalenceOptions = {},
): Result<Equivalence> {
  const wrong = failure(
    checkOptions('checkEquivalent', options, EQUIVALENCE_TYPES, checkEquivalent),
  );
  if (wrong !== undefined) return wrong;
  const base = makeBaseline(a, options);
  if (isLeft(base)) return base;
  const needs = options.needs ?? [...needsOf(a), ...needsOf(b)];
  const isExact = needs.includes('narrow') ? hasConstantsOf : exactInFloat64;
  const wide = isExact(base.right.module, b) ? widen(b) : undefined;
  return compareWithBaseline(base.right, { native: b, wide }, { ...options, needs });
}

export interface ExecutorCheckOptions extends EquivalenceOptions {
  /** Expands the operators that the executor computes in several roundings. Default: none. */
  readonly spellOut?: (m: IRModule) => IRModule;
}

/**
 * Whether an executor computes the same as the interpreter, in all regimes: compares a program with
 * itself on that executor. `options.needs` are the freedoms that it takes with rounding.
 *
 * **Errors** `EQUIV_NO_ENTRY`; errors of `inferTypes`.
 */
export function checkExecutor(
  m: IRModule,
  executor: Executor,
  options: ExecutorCheckOptions = {},
): Result<Equivalence> {
  const base = makeBaseline(m, { ...options, second: executor });
  if (isLeft(base)) return base;
  const { spellOut = (it: IRModule) => it } = options;
  const { module, wide } = base.right;
  const given = wide();
  const second = isLeft(given) ? given : right(spellOut(given.right));
  return compareWithBaseline(base.right, { native: module, wide: second }, options);
}

export interface PassCheckOptions extends EquivalenceOptions {
  readonly context?: PassContextParts;
  /** The known results of the module, for the same module and seed. */
  readonly baseline?: Baseline;
}

const PASS_CHECK_TYPES: OptionTypes<PassCheckOptions> = {
  ...EQUIVALENCE_TYPES,
  context: aRecord,
  baseline: aRecord,
};

/** The effect of a pass on a module, and whether the results stayed the same. */
export interface PassCheck {
  readonly changed: boolean;
  readonly module: IRModule;
  readonly report: PassReport;
  readonly equivalence: Equivalence;
}

/**
 * Runs a pass on a module, and on the module in float64, and compares the results before and after
 * in all regimes, under the declared `needs` of the pass or `options.needs`.
 *
 * **Errors** `OPTION_*`; errors of the pass on either module, and of {@link checkEquivalent}.
 */
export function checkPass(
  pass: Pass,
  m: IRModule,
  options: PassCheckOptions = {},
): Result<PassCheck> {
  const wrong = failure(checkOptions('checkPass', options, PASS_CHECK_TYPES, checkPass));
  if (wrong !== undefined) return wrong;
  const base = options.baseline === undefined ? makeBaseline(m, options) : right(options.baseline);
  if (isLeft(base)) return base;
  const before = base.right.module;
  const inContext = runPass(pass, options.context);
  const result = inContext(before);
  if (isLeft(result)) return result;
  const { module, report } = result.right;
  const changed = module !== before;
  const needs = options.needs ?? pass.needs;
  if (needs.includes('narrow')) return checkNarrowed(base.right, result.right, options, needs);
  const shadow = shadowOf(base.right, module, inContext);
  if (shadow !== undefined && isLeft(shadow)) return shadow;
  if (!changed && shadow?.right.changed !== true) {
    return right({ changed, module, report, equivalence: NOTHING_CHANGED });
  }
  const equivalence = compareWithBaseline(
    base.right,
    { native: module, wide: shadow && right(shadow.right.module) },
    { ...options, needs },
  );
  return isLeft(equivalence)
    ? equivalence
    : right({ changed, module, report, equivalence: equivalence.right });
}

/** Checks a pass to a narrower dtype: in float64, its result computes the same as the module. */
function checkNarrowed(
  base: Baseline,
  { module, report }: PassResult,
  options: EquivalenceOptions,
  needs: ReadonlyArray<FastMath>,
): Result<PassCheck> {
  if (module === base.module) {
    return right({ changed: false, module, report, equivalence: NOTHING_CHANGED });
  }
  const wide = hasConstantsOf(base.module, module) ? widen(module) : undefined;
  const found = compareWithBaseline(base, { native: module, wide }, { ...options, needs });
  if (isLeft(found)) return found;
  return right({ changed: true, module, report, equivalence: found.right });
}

function shadowOf(
  base: Baseline,
  after: IRModule,
  run: (m: IRModule) => Result<PassResult>,
): Result<{ readonly module: IRModule; readonly changed: boolean }> | undefined {
  const wide = base.wide();
  if (isLeft(wide)) return undefined;
  const before = wide.right;
  if (before === base.module) return right({ module: after, changed: after !== before });
  const result = run(before);
  if (isLeft(result)) return result;
  const { module } = result.right;
  return right({ module, changed: module !== before });
}

export interface Second {
  readonly native: IRModule;
  /** The program in float64, derived without rounding to a narrower dtype. */
  readonly wide: Result<IRModule> | undefined;
}

/**
 * Compares a program with a baseline.
 *
 * **Errors** of `inferTypes`; `EQUIV_NO_ENTRY`, `EQUIV_SIGNATURE`.
 */
export function compareWithBaseline(
  base: Baseline,
  second: Second,
  options: EquivalenceOptions = {},
): Result<Equivalence> {
  const typed = inferTypes(second.native);
  if (isLeft(typed)) return typed;
  const isMarked = isQuantized(base.module) || isQuantized(typed.right);
  const allowed = (word: FastMath): boolean => options.needs?.includes(word) === true;
  const isRounded = ROUNDING.some(allowed) && isMarked;
  const needs = FAST_MATH.filter(
    (word) => allowed(word) && (isRounded || !ROUNDING.includes(word)),
  );
  const asSeen = needs.includes('narrow') ? widenType : (type: Type): Type => type;
  const mismatch = signatureMismatch(base, typed.right, asSeen);
  if (mismatch !== undefined) return mismatch;
  const wanted = options.regimes ?? REGIMES;
  // A program that was rounded to scales, and whose marks were removed, shows no trace of it.
  const isHidden = allowed('scaled') && !isSimulated(typed.right);
  const verdict = (regime: Regime, compare: () => RegimeVerdict): RegimeVerdict => {
    if (!wanted.includes(regime)) return notApplied('not asked for');
    options.onRegime?.(regime, REGIMES.indexOf(regime));
    if (isRounded && needs.includes('narrow')) return notApplied(ROUNDED_TWICE);
    if (isRounded && regime !== 'native') return notApplied(ROUNDED_ELSEWHERE);
    const found = compare();
    const isOpen = isHidden && found._tag === 'Applied' && !found.equal;
    return isOpen ? notApplied(ROUNDED_TO_SCALES) : found;
  };
  const after = typed.right;
  return completed(() =>
    summarize(needs, {
      grid: verdict('grid', () => compareOnGrid(base, after, needs)),
      shadow: verdict('shadow', () => compareShadow(base, second.wide)),
      native: verdict('native', () => compareNative(base, after, second.wide, needs)),
      special: verdict('special', () => compareSpecial(base, after, needs)),
    }),
  );
}

/** The result of `compute`, or the diagnostics if the comparison cannot continue. */
function completed<A>(compute: () => A): Result<A> {
  try {
    return right(compute());
  } catch (error) {
    if (error instanceof DiagnosticsError) return left(error.diagnostics);
    throw error;
  }
}

/** Whether integers of a program, or multiples of scales, represent real numbers. */
const isQuantized = (m: IRModule): boolean => hasCallOf(m, 'qnn.dequantize') || isSimulated(m);

/** The permissions that allow errors of integer units. */
const ROUNDING: ReadonlyArray<FastMath> = ['quantized', 'scaled'];

const ROUNDED_TO_SCALES = 'numbers were rounded to scales that the second program does not show';
const ROUNDED_TWICE = 'integers are rounded in other places, and numbers to a narrower type';
const ROUNDED_ELSEWHERE = 'integers that stand for real numbers are rounded in other places';

const UNCHANGED = notApplied('the pass changed nothing');

const NOTHING_CHANGED: Equivalence = {
  verdict: 'equal',
  equivalent: true,
  needs: [],
  regimes: { grid: UNCHANGED, shadow: UNCHANGED, native: UNCHANGED, special: UNCHANGED },
};

function signatureMismatch(
  base: Baseline,
  after: IRModule,
  asSeen: (type: Type) => Type,
): Result<never> | undefined {
  const found = after.functions.get(base.entryName);
  if (found === undefined) return fail(noEntry(base.entryName, [...after.functions.keys()]));
  const before = typeOf(base.module, base.entry);
  const now = typeOf(after, found);
  if (before !== undefined && now !== undefined) {
    const [wanted, seen] = [asSeen(before), asSeen(now)];
    if (typeEqual(wanted, seen) || isRefinedBy(wanted, seen)) return undefined;
  }
  const shown = (type: typeof now): string => (type === undefined ? 'no type' : printType(type));
  return fail(otherSignature(shown(before), shown(now)));
}
