/** The answer of a process to the name of a benchmark: one line of JSON. */
export interface Answer {
  readonly name: string;
  readonly ms: number;
  /** The highest resident size of the process so far. */
  readonly peakBytes: number;
  readonly eNodes?: number;
  readonly eClasses?: number;
  /** egglog counts rows: one for each e-node. */
  readonly rows?: number;
  /** Bytes in the flat arrays of Baton's e-graph. */
  readonly arrayBytes?: number;
  readonly phases?: {
    readonly searchMs: number;
    readonly applyMs: number;
    readonly rebuildMs: number;
  };
  readonly error?: string;
}
