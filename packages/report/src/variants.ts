/** The variants of a model, and their measurements. */
import type { Timed } from './timed.ts';

/** A measured variant: the original program, or a level. */
export type VariantName = 'as it is' | `level ${0 | 1 | 2 | 3}`;

/** The time of an operator in a run: milliseconds, and the number of its computations. */
export type OpTime = readonly [op: string, ms: number, calls: number];

/** A variant to measure. */
export interface Variant {
  readonly name: VariantName;
  /** Whether its program is run: a program that equals an earlier one is not run again. */
  readonly runs: boolean;
}

/** The measurements of a variant. */
export interface VariantTimes {
  readonly run: RunTimes | undefined;
  /** Undefined for the original program. */
  readonly optimize: Timed | undefined;
  readonly fuse: Timed | undefined;
}

/** The times of runs, and the times by operator of the median run. */
export interface RunTimes {
  readonly timed: Timed;
  readonly operators: ReadonlyArray<OpTime>;
}

/** Times the variants of a model, which is named by its position among the models of the run. */
export type Timing = (
  position: number,
  variants: ReadonlyArray<Variant>,
) => Promise<ReadonlyMap<VariantName, VariantTimes>>;
