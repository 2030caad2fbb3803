/** What the bench and the processes that it measures in say to each other. */

/** What a process measures: the program as it came, or at a level. */
export type VariantName = 'as it is' | `level ${0 | 1 | 2 | 3}`;

/** What a process is asked to do: get warm, run the fused program, or optimize anew. */
export type Ask = 'warm run' | 'run' | 'warm optimize' | 'optimize';

/** The time of an operator in a run: milliseconds, and how often it was computed. */
export type OpTime = readonly [op: string, ms: number, calls: number];

/** What a process answers. */
export interface Answer {
  /** Of one run, or of the optimization; of what was asked to get warm, the last time. */
  readonly ms: number;
  /** Of fusion, beside `ms`. */
  readonly fuseMs?: number;
  readonly operators?: ReadonlyArray<OpTime>;
  readonly error?: string;
}
