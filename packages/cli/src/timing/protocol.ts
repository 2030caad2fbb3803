/** The messages between a benchmark and its measuring processes. */
import type { OpTime } from '@baton/report';

/**
 * A request to a process: prepare the fused program, warm up, run it, or optimize again. Only
 * preparing is not timed: several processes may do it at once.
 */
export type Ask = 'prepare' | 'warm run' | 'run' | 'warm optimize' | 'optimize';

export interface Answer {
  /** The time of one run, or of the optimization; after warming up, the time of the last run. */
  readonly ms: number;
  /** The time of fusion, not included in `ms`. */
  readonly fuseMs?: number;
  readonly operators?: ReadonlyArray<OpTime>;
  readonly error?: string;
}
