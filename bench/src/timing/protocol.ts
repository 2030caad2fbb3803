/** What the bench and the processes that it measures in say to each other. */
import type { OpTime } from '@baton/report';

/** What a process is asked to do: get warm, run the fused program, or optimize anew. */
export type Ask = 'warm run' | 'run' | 'warm optimize' | 'optimize';

/** What a process answers. */
export interface Answer {
  /** Of one run, or of the optimization; of what was asked to get warm, the last time. */
  readonly ms: number;
  /** Of fusion, beside `ms`. */
  readonly fuseMs?: number;
  readonly operators?: ReadonlyArray<OpTime>;
  readonly error?: string;
}
