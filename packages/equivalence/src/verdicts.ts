/**
 * What is found out about two programs: a verdict for each regime
 * ([ADR 5](https://batonjs.github.io/baton/adr/0005-what-equivalent-means)).
 */

import { anything, aText, listOf, type OptionTypes, someOf, wholeNumber } from '@baton/base';
import { anExecutor, type Executor, type Value } from '@baton/executor';
import { FAST_MATH, type FastMath } from '@baton/pass-manager';

/** The ways in which two programs are compared, in the order in which they are tried. */
export const REGIMES = ['grid', 'shadow', 'native', 'special'] as const;

/** A way to compare two programs: inputs of one kind, and what counts as equal. */
export type Regime = (typeof REGIMES)[number];

/** What a regime found. */
export type RegimeVerdict = Applied | NotApplied;

/** The two programs were run and compared. */
export interface Applied {
  readonly _tag: 'Applied';
  readonly equal: boolean;
  /**
   * The largest error among the elements that were compared: |a − b| in the grid, and
   * |a − b| / (|b| + rms b) elsewhere. Infinite where only one is finite.
   */
  readonly largestError: number;
  /** The share of the elements of the first program's result that were finite. */
  readonly finiteShare: number;
  /** What shows the difference; there if the results are not equal. */
  readonly counterexample?: Counterexample;
}

/** The regime says nothing about these programs. */
export interface NotApplied {
  readonly _tag: 'NotApplied';
  readonly reason: string;
}

/** Inputs on which two programs differ. */
export interface Counterexample {
  /** By position. */
  readonly inputs: ReadonlyArray<Value>;
  /** Which of the tensors of the result differs; tuples are taken apart. */
  readonly output: number;
  /** Row-major index of the element. */
  readonly element: number;
  readonly expected: number | bigint | string;
  readonly found: number | bigint | string;
}

/** What is known about two programs. */
export interface Equivalence {
  /**
   * `equal`: every regime that applied found them equal, and one did at least; `different`: one
   * found a difference; `unknown`: none applied.
   */
  readonly verdict: 'equal' | 'different' | 'unknown';
  /** Whether the verdict is `equal`. */
  readonly equivalent: boolean;
  readonly regimes: { readonly [R in Regime]: RegimeVerdict };
  /** What the second program was allowed to do to special values and to rounding. */
  readonly needs: ReadonlyArray<FastMath>;
}

/** How to compare two programs. */
export interface EquivalenceOptions {
  /** The same seed gives the same inputs. Default: 0. */
  readonly seed?: number;
  /** Default: `main`. */
  readonly entry?: string;
  /** The regimes to try; all of them by default. */
  readonly regimes?: ReadonlyArray<Regime>;
  /**
   * What the second program may do to special values and to rounding. By default: what the passes
   * that made it need, if it is the module of a `runPass`.
   */
  readonly needs?: ReadonlyArray<FastMath>;
  /** Arguments that are known to be of use; they are tried before any that are made up. */
  readonly inputs?: ReadonlyArray<Value>;
  /** What runs both programs. Default: `interpreter`. */
  readonly executor?: Executor;
}

/** What each option of a comparison may hold. */
export const EQUIVALENCE_TYPES: OptionTypes<EquivalenceOptions> = {
  seed: wholeNumber(0),
  entry: aText,
  regimes: someOf(REGIMES),
  needs: someOf(FAST_MATH),
  inputs: listOf(anything, 'values'),
  executor: anExecutor,
};

/** The regime was not applied, for this reason. */
export const notApplied = (reason: string): NotApplied => ({ _tag: 'NotApplied', reason });

/** The verdict on the whole from those of the regimes. */
export function summarize(
  needs: ReadonlyArray<FastMath>,
  regimes: Equivalence['regimes'],
): Equivalence {
  const applied = REGIMES.map((r) => regimes[r]).filter((v) => v._tag === 'Applied');
  const isDifferent = applied.some((v) => !v.equal);
  const verdict = isDifferent ? 'different' : applied.length === 0 ? 'unknown' : 'equal';
  return { verdict, equivalent: verdict === 'equal', regimes, needs };
}
