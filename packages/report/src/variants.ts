/** The variants of a model, and what is measured of each. */
import type { Timed } from './timed.ts';

/** What is measured: the program as it came, or at a level. */
export type VariantName = 'as it is' | `level ${0 | 1 | 2 | 3}`;

/** The time of an operator in a run: milliseconds, and how often it was computed. */
export type OpTime = readonly [op: string, ms: number, calls: number];

/** What is to be measured of a variant. */
export interface Variant {
  readonly name: VariantName;
  /** Whether its program is run: one that is the same as another's is not run again. */
  readonly runs: boolean;
}

/** What was measured of a variant. */
export interface VariantTimes {
  readonly run: RunTimes | undefined;
  /** Nothing for the program as it is. */
  readonly optimize: Timed | undefined;
  readonly fuse: Timed | undefined;
}

/** The time of runs, and the time by operator of the run in the middle. */
export interface RunTimes {
  readonly timed: Timed;
  readonly operators: ReadonlyArray<OpTime>;
}

/** Times the variants of the model at a position among those that the bench was asked for. */
export type Timing = (
  position: number,
  variants: ReadonlyArray<Variant>,
) => Promise<ReadonlyMap<VariantName, VariantTimes>>;
