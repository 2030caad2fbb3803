/** The shape of `report.json`. Times are milliseconds; sizes bytes; `flops` floating-point operations. */

/** The version of the schema: a reader checks it. */
export const SCHEMA = 'baton.bench/2';

import type { Timed } from './timed.ts';

/** A count of the program as it came and after the highest level. */
export interface BeforeAfter {
  readonly before: number;
  readonly after: number;
}

/** One pass of the pipeline of the highest level. */
export interface PassRow {
  readonly name: string;
  readonly ms: number;
  readonly nodesBefore: number;
  readonly nodesAfter: number;
}

/** What one level of optimization costs and gives. What runs is fused, as is the program as it came. */
export interface LevelRow {
  readonly level: number;
  /** The level with the same program, or `as it is`; `null` where this one is the first. */
  readonly sameAs: string | null;
  readonly nodes: number;
  readonly kernels: number;
  readonly flops: number;
  /** Bytes that the kernels read and write. */
  readonly bytesMoved: number;
  readonly paramBytes: number;
  /** Of the optimization alone, and of fusing. */
  readonly optimize: Timed;
  readonly fuse: Timed;
  /** One run of the reference executor; `null`, as what follows, where runs were left out. */
  readonly run: Timed | null;
  readonly maxAbsError: number | null;
  readonly maxRelError: number | null;
  readonly equivalent: boolean | null;
}

/** Agreement with an expected output from outside, before optimization and after the highest level. */
export interface Golden {
  readonly ok: boolean;
  /** The largest |a − b| of the two runs. */
  readonly maxError: number;
  readonly before: { readonly ok: boolean; readonly maxError: number };
  readonly after: { readonly ok: boolean; readonly maxError: number };
  readonly tolerance: { readonly atol: number; readonly rtol: number };
}

/** How a measure changed. */
export interface Change {
  readonly measure: 'nodes' | 'kernels' | 'FLOPs' | 'bytes moved' | 'parameters' | 'executor time';
  readonly before: number;
  readonly after: number;
}

/** One model of the report. */
export interface ModelReport {
  readonly name: string;
  /** Operator calls. */
  readonly nodes: BeforeAfter;
  /** Both fused. */
  readonly kernels: BeforeAfter;
  /** Operator calls by name, after the highest level. */
  readonly byOp: Readonly<Record<string, number>>;
  readonly byOpBefore: Readonly<Record<string, number>>;
  readonly flops: BeforeAfter;
  readonly paramBytes: BeforeAfter;
  /** After the highest level. */
  readonly activationBytes: number;
  /** Both fused. */
  readonly bytesMoved: BeforeAfter;
  /** Reading or building the model; making its weights is counted apart. */
  readonly importMs: number;
  readonly weightsMs: number;
  readonly inferMs: number;
  /** Optimizing to the highest level. */
  readonly optimize: Timed;
  /** `null` where runs were left out, as are the errors and the verdict. */
  readonly run: { readonly before: Timed; readonly after: Timed } | null;
  /** What the highest level does more of than the program as it came, beyond the spread of times. */
  readonly worse: ReadonlyArray<Change>;
  readonly better: ReadonlyArray<Change>;
  readonly passes: ReadonlyArray<PassRow>;
  readonly levels: ReadonlyArray<LevelRow>;
  /** The result of the highest level against that of the program as it came. */
  readonly maxAbsError: number | null;
  readonly maxRelError: number | null;
  readonly equivalent: boolean | null;
  /** `null` where there is no expected output. */
  readonly golden: Golden | null;
}

/** A model that could not be read, with all that it lacks. */
export interface UnreadableModel {
  readonly name: string;
  readonly lacks: ReadonlyArray<string>;
}

/** The whole report. */
export interface Report {
  readonly schema: typeof SCHEMA;
  readonly models: ReadonlyArray<ModelReport>;
  readonly unreadable: ReadonlyArray<UnreadableModel>;
}
