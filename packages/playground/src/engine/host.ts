/** The host of the engine. */
import type { Limits } from '@baton/base';

/** What the engine takes from its host. */
export interface EngineHost {
  readonly now: () => number;
  readonly progress: (text: string) => void;
  /** The limits of each request; the page ends a request that takes too long itself. */
  readonly limits: Limits;
}
