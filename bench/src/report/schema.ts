/** The shape of `report.json`. Times are milliseconds; sizes bytes; `flops` floating-point operations. */

/** The version of the schema: a reader checks it. */
export const SCHEMA = 'baton.bench/1';

/** A count before optimization and after the highest level. */
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

/** What one level of optimization costs and gives. */
export interface LevelRow {
  readonly level: number;
  /** Of the optimization alone. */
  readonly ms: number;
  readonly nodes: number;
  /** After fusing. */
  readonly kernels: number;
  /** Of fusing. */
  readonly fuseMs: number;
  /** Bytes that the fused kernels read and write. */
  readonly bytesMoved: number;
  /**
   * Of one run of the reference executor, the fastest of several if it is short; `null`, as what
   * follows, where runs were left out.
   */
  readonly runMs: number | null;
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

/** One model of the report. */
export interface ModelReport {
  readonly name: string;
  readonly nodes: BeforeAfter;
  /** Before optimization unfused, after it fused. */
  readonly kernels: BeforeAfter;
  /** Operator calls by name, after the highest level. */
  readonly byOp: Readonly<Record<string, number>>;
  readonly byOpBefore: Readonly<Record<string, number>>;
  /** After the highest level, as are `paramBytes` and `activationBytes`. */
  readonly flops: number;
  readonly paramBytes: number;
  readonly activationBytes: number;
  /** Reading or building the model; making its weights is counted apart. */
  readonly importMs: number;
  readonly weightsMs: number;
  readonly inferMs: number;
  /** Optimizing to the highest level, inference included. */
  readonly optimizeMs: number;
  readonly bytesMoved: BeforeAfter;
  /** `null` where runs were left out, as are the errors and the verdict. */
  readonly runMs: BeforeAfter | null;
  readonly passes: ReadonlyArray<PassRow>;
  readonly levels: ReadonlyArray<LevelRow>;
  /** The result of the highest level against the unoptimized one. */
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
