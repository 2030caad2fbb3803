/** The interface of the engine's host. */
import type { Limits } from '@baton/base';

export interface EngineHost {
  readonly now: () => number;
  readonly progress: (text: string) => void;
  readonly limits: Limits;
}
