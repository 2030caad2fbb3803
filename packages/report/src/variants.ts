/** The variants of a model by name, and their measurements. */
import type { Timed } from './timed.ts';

export type Level = 0 | 1 | 2 | 3;

export const LEVELS: ReadonlyArray<Level> = [0, 1, 2, 3];

export const levelOf = (level: number): Level => LEVELS.find((l) => l === level) ?? 0;

/**
 * A measured program of a model: the original with one kernel per call, the original fused, fused
 * at a level, after the highest level with a search by rules, or with products in 8-bit integers.
 */
export type VariantName = 'unfused' | 'fused' | `level${Level}` | 'search' | 'quantized';

export const variantAt = (level: Level): VariantName => `level${level}`;

export const isVariantName = (text: string): text is VariantName => Object.hasOwn(LABELS, text);

export const labelOf = (name: VariantName): string => LABELS[name];

const LABELS: Readonly<Record<VariantName, string>> = {
  unfused: 'one kernel a call',
  fused: 'as it is',
  level0: 'level 0',
  level1: 'level 1',
  level2: 'level 2',
  level3: 'level 3',
  search: 'level 3, search',
  quantized: 'level 3, int8',
};

/** The time of an operator in a run: milliseconds, and the number of its computations. */
export type OpTime = readonly [op: string, ms: number, calls: number];

export interface Variant {
  readonly name: VariantName;
  /** Whether its program is run: a program that equals an earlier one is not run again. */
  readonly runs: boolean;
}

export interface VariantTimes {
  readonly run: RunTimes | undefined;
  /** Undefined for a variant other than a level. */
  readonly optimize: Timed | undefined;
  readonly fuse: Timed | undefined;
}

/** The times of runs, and the times by operator of the median run. */
export interface RunTimes {
  readonly timed: Timed;
  readonly operators: ReadonlyArray<OpTime>;
}

/** Times the variants of a model, which is named by its index among the models of the run. */
export type Timing = (
  position: number,
  variants: ReadonlyArray<Variant>,
) => Promise<ReadonlyMap<VariantName, VariantTimes>>;
