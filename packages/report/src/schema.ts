/**
 * The schema of `report.json`. Times are milliseconds; sizes bytes; `flops` floating-point
 * operations.
 */

export const SCHEMA = 'baton.bench/4';

import type { Timed } from './timed.ts';
import type { Level, VariantName } from './variants.ts';

export interface BeforeAfter {
  readonly before: number;
  readonly after: number;
}

export interface PassRow {
  readonly name: string;
  readonly ms: number;
  readonly nodesBefore: number;
  readonly nodesAfter: number;
}

/** A program of the model, with the time of a run. */
export interface VariantRow {
  readonly name: VariantName;
  readonly label: string;
  /** The earlier variant with the same program, whose run this is; `null` if this is the first. */
  readonly sameAs: VariantName | null;
  /**
   * The median, the least and the greatest sample; `null`, like the error, if programs were not
   * run.
   */
  readonly ms: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly samples: number;
  readonly nodes: number;
  readonly flops: number;
  /** Bytes that the kernels read and write. */
  readonly bytes: number;
  readonly kernels: number;
  /** The largest relative error against `fused`, the original program. */
  readonly maxRelError: number | null;
}

export interface LevelRow {
  readonly level: Level;
  /** The earlier variant with the same program; `null` if this one is the first. */
  readonly sameAs: VariantName | null;
  readonly nodes: number;
  readonly kernels: number;
  readonly flops: number;
  readonly bytesMoved: number;
  readonly paramBytes: number;
  readonly optimize: Timed;
  readonly fuse: Timed;
  /** The time of a run; `null`, like the next fields, if programs were not run. */
  readonly run: Timed | null;
  readonly maxAbsError: number | null;
  readonly maxRelError: number | null;
  readonly equivalent: boolean | null;
}

/** The figures of rewrite rules after the highest level. Programs are fused, but not run. */
export interface EngineRow {
  readonly engine: 'greedy rules' | 'saturation';
  readonly isChanged: boolean;
  readonly nodes: number;
  readonly kernels: number;
  readonly flops: number;
  readonly bytesMoved: number;
  readonly ms: number;
}

/** Agreement with an expected output, before optimization and after the highest level. */
export interface Golden {
  readonly ok: boolean;
  readonly maxError: number;
  readonly before: { readonly ok: boolean; readonly maxError: number };
  readonly after: { readonly ok: boolean; readonly maxError: number };
  readonly tolerance: { readonly atol: number; readonly rtol: number };
}

export interface Change {
  readonly measure: 'nodes' | 'kernels' | 'FLOPs' | 'bytes moved' | 'parameters' | 'executor time';
  readonly before: number;
  readonly after: number;
}

export interface ModelReport {
  readonly name: string;
  readonly nodes: BeforeAfter;
  readonly kernels: BeforeAfter;
  /** Operator calls by name, after the highest level. */
  readonly byOp: Readonly<Record<string, number>>;
  readonly byOpBefore: Readonly<Record<string, number>>;
  readonly flops: BeforeAfter;
  readonly paramBytes: BeforeAfter;
  /** Measured after the highest level. */
  readonly activationBytes: number;
  readonly bytesMoved: BeforeAfter;
  /** The time of reading or building the model, without creating its weights. */
  readonly importMs: number;
  readonly weightsMs: number;
  readonly inferMs: number;
  readonly optimize: Timed;
  /** `null` if programs were not run, like the errors and the verdict. */
  readonly run: { readonly before: Timed; readonly after: Timed } | null;
  /** The measures that rose from the original program to the highest level, by more than noise. */
  readonly worse: ReadonlyArray<Change>;
  readonly better: ReadonlyArray<Change>;
  readonly passes: ReadonlyArray<PassRow>;
  /** Every program that was measured, the least optimized first. */
  readonly variants: ReadonlyArray<VariantRow>;
  readonly levels: ReadonlyArray<LevelRow>;
  /** Rewrite rules after the highest level, in each engine. */
  readonly engines: ReadonlyArray<EngineRow>;
  /** The result of the highest level compared with the original program's. */
  readonly maxAbsError: number | null;
  readonly maxRelError: number | null;
  readonly equivalent: boolean | null;
  /** `null` if there is no expected output. */
  readonly golden: Golden | null;
}

export interface UnreadableModel {
  readonly name: string;
  readonly lacks: ReadonlyArray<string>;
}

/** The result of a network's search by one cost. Gains are percent. */
export interface SearchFound {
  readonly cost: 'kernels' | 'roofline' | 'measured';
  readonly seconds: number;
  readonly gain: number;
  /** The gain in the time of a run; `null` if the programs were not run. */
  readonly runGain: number | null;
}

/** Seconds of a search, and the gain of its program in percent, as published. */
export interface SearchPublished {
  readonly seconds: number;
  readonly gain: number;
}

/** The searches of a network, next to those of others. */
export interface SearchRow {
  readonly network: string;
  readonly costs: ReadonlyArray<SearchFound>;
  readonly tensat: SearchPublished;
  readonly taso: SearchPublished;
}

export interface Report {
  readonly schema: typeof SCHEMA;
  readonly models: ReadonlyArray<ModelReport>;
  readonly unreadable: ReadonlyArray<UnreadableModel>;
  /** The searches of the networks of Tensat's table; empty unless requested. */
  readonly searches: ReadonlyArray<SearchRow>;
}

/** The time of a variant's run; `null` if it was not run. */
export const timedRun = ({ ms, low, high, samples }: VariantRow): Timed | null =>
  ms === null || low === null || high === null ? null : { ms, low, high, samples };
