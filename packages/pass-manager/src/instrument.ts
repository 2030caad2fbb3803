/** Instruments, which watch runs of passes. */
import type { IRModule } from '@baton/ir';

/** The view of a pass that instruments get. */
export interface PassInfo {
  readonly name: string;
  readonly doc: string;
  readonly level: number;
  /** Whether the pass only runs other passes. */
  readonly isPipeline: boolean;
}

/**
 * Watches a run of passes. Every hook is optional.
 *
 * A hook that throws ends the run: [passes §0.3](https://batonjs.github.io/baton/spec/passes#0.3)
 * says which other hooks are still called. To report a fault of the program or of a pass, throw a
 * `DiagnosticsError`: the run then fails with its diagnostics. Any other exception counts as a bug
 * of the instrument.
 */
export interface Instrument {
  readonly name: string;
  /** Called when a context with the instrument is entered, in list order. */
  readonly enter?: () => void;
  /** Called when the context is left. */
  readonly exit?: () => void;
  /** Called for every instrument before a pass that is not required; one `false` skips the pass. */
  readonly shouldRun?: (m: IRModule, pass: PassInfo) => boolean;
  readonly beforePass?: (m: IRModule, pass: PassInfo) => void;
  /** Not called when the pass fails. */
  readonly afterPass?: (m: IRModule, pass: PassInfo) => void;
}
