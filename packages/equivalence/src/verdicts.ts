/**
 * The result of a comparison: a verdict for each regime ([ADR
 * 5](https://batonjs.github.io/baton/adr/0005-what-equivalent-means)).
 */

import {
  aFunction,
  anything,
  aText,
  listOf,
  type OptionTypes,
  someOf,
  wholeNumber,
} from '@baton/base';
import { anExecutor, type Executor, type Value } from '@baton/executor';
import { FAST_MATH, type FastMath } from '@baton/pass-manager';

/** The regimes, in the order in which they are tried. */
export const REGIMES = ['grid', 'shadow', 'native', 'special'] as const;

/** A way to compare two programs: inputs of one kind, and a criterion of equality. */
export type Regime = (typeof REGIMES)[number];

export type RegimeVerdict = Applied | NotApplied;

export interface Applied {
  readonly _tag: 'Applied';
  readonly equal: boolean;
  /**
   * The largest error among the compared elements: |a − b| in the grid, and |a − b| / (|b| + rms b)
   * elsewhere. Infinite if only one is finite.
   */
  readonly largestError: number;
  /** The share of finite elements in the first program's result. */
  readonly finiteShare: number;
  readonly counterexample?: Counterexample;
}

export interface NotApplied {
  readonly _tag: 'NotApplied';
  readonly reason: string;
}

export interface Counterexample {
  readonly inputs: ReadonlyArray<Value>;
  /** The index of the differing tensor of the result; tuples are flattened. */
  readonly output: number;
  /** The index of the element in row-major order. */
  readonly element: number;
  readonly expected: number | bigint | string;
  readonly found: number | bigint | string;
}

/** The verdicts of all regimes about two programs, and the overall one. */
export interface Equivalence {
  /**
   * `equal`: at least one regime applied, and all that applied found them equal; `different`: one
   * found a difference; `unknown`: none applied.
   */
  readonly verdict: 'equal' | 'different' | 'unknown';
  readonly equivalent: boolean;
  readonly regimes: { readonly [R in Regime]: RegimeVerdict };
  readonly needs: ReadonlyArray<FastMath>;
}

export interface EquivalenceOptions {
  /** The same seed yields the same inputs. Default: 0. */
  readonly seed?: number;
  /** Default: `main`. */
  readonly entry?: string;
  /** The regimes to try; all of them by default. */
  readonly regimes?: ReadonlyArray<Regime>;
  /**
   * The freedoms of the second program with special values and rounding. Default: the needs of the
   * passes that made it, if it is the module of a `runPass`.
   */
  readonly needs?: ReadonlyArray<FastMath>;
  readonly inputs?: ReadonlyArray<Value>;
  /** The executor of both programs. Default: `interpreter`. */
  readonly executor?: Executor;
  /** Called from time to time; true ends the comparison with `LIMIT_TIME`. */
  readonly shouldStop?: (() => boolean) | undefined;
  /** Called before the programs run in each regime, with the number of earlier ones. */
  readonly onRegime?: ((regime: Regime, done: number) => void) | undefined;
}

export const EQUIVALENCE_TYPES: OptionTypes<EquivalenceOptions> = {
  seed: wholeNumber(0),
  entry: aText,
  regimes: someOf(REGIMES),
  needs: someOf(FAST_MATH),
  inputs: listOf(anything, 'values'),
  executor: anExecutor,
  shouldStop: aFunction,
  onRegime: aFunction,
};

export const notApplied = (reason: string): NotApplied => ({ _tag: 'NotApplied', reason });

export function summarize(
  needs: ReadonlyArray<FastMath>,
  regimes: Equivalence['regimes'],
): Equivalence {
  const applied = REGIMES.map((r) => regimes[r]).filter((v) => v._tag === 'Applied');
  const isDifferent = applied.some((v) => !v.equal);
  const verdict = isDifferent ? 'different' : applied.length === 0 ? 'unknown' : 'equal';
  return { verdict, equivalent: verdict === 'equal', regimes, needs };
}
