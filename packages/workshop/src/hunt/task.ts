/** The message to a process of the hunt. */
import type { HuntCommand } from './arguments.ts';

export interface HuntTask {
  readonly index: number;
  readonly command: HuntCommand;
  /** Kinds of findings that were reduced often enough. */
  readonly reduced: ReadonlyArray<string>;
}
