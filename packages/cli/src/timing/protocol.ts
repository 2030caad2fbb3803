/** The messages between a benchmark and its measuring processes. */
import type { OpTime } from '@baton/report';

/** A request to a process: warm up, run the fused program, or optimize again. */
export type Ask = 'warm run' | 'run' | 'warm optimize' | 'optimize';

export interface Answer {
  /** The time of one run, or of the optimization; after warming up, the time of the last run. */
  readonly ms: number;
  /** The time of fusion, not included in `ms`. */
  readonly fuseMs?: number;
  readonly operators?: ReadonlyArray<OpTime>;
  readonly error?: string;
}
