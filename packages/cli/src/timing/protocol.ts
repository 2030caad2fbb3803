/** The messages between a benchmark and its measuring processes. */
import type { OpTime } from '@baton/report';

/**
 * What a process does: prepare the fused program, warm up, run it, or optimize again. Only
 * preparing is not timed: several processes may do it at once.
 */
export type Ask = 'prepare' | 'warm run' | 'run' | 'warm optimize' | 'optimize';

/** A request about the model at a position among those of the run. */
export interface Request {
  readonly position: number;
  readonly ask: Ask;
}

export interface Answer {
  /** The time of one run, or of the optimization; after warming up, the time of the last run. */
  readonly ms: number;
  /** The time of fusion, not included in `ms`. */
  readonly fuseMs?: number;
  readonly operators?: ReadonlyArray<OpTime>;
  readonly error?: string;
}
