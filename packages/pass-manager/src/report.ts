import type { IRModule } from '@baton/ir';

/** Why a pass in a pipeline was not run. */
export type SkipReason = 'disabled' | 'level' | 'instrument';

/** What one application of a pass did. Durations are in milliseconds, by the context's clock. */
export interface PassReportEntry {
  readonly name: string;
  /** The pass with all that it ran, inference included. */
  readonly ms: number;
  /** The part of `ms` that went into inferring types, children included. */
  readonly inferMs: number;
  readonly nodesBefore: number;
  readonly nodesAfter: number;
  /** Whether it does nothing but run its children. */
  readonly isPipeline: boolean;
  /** Whether the pass returned another module. */
  readonly changed: boolean;
  readonly skipped?: SkipReason;
  /** The passes that this one ran: those it requires, and those of a pipeline. */
  readonly children: ReadonlyArray<PassReportEntry>;
}

/** What a run did. */
export interface PassReport {
  readonly passes: ReadonlyArray<PassReportEntry>;
  readonly ms: number;
  /** The time of all inference, that before the first pass included. */
  readonly inferMs: number;
  readonly nodesBefore: number;
  readonly nodesAfter: number;
}

/** The result of a run. */
export interface PassResult {
  readonly module: IRModule;
  readonly report: PassReport;
}

/** The passes that ran, at whatever depth, pipelines left out, in the order in which they ended. */
export function passesRun(report: PassReport): ReadonlyArray<PassReportEntry> {
  const backwards: PassReportEntry[] = [];
  const pending = [...report.passes];
  for (let entry = pending.pop(); entry !== undefined; entry = pending.pop()) {
    if (entry.skipped !== undefined) continue;
    if (!entry.isPipeline) backwards.push(entry);
    pending.push(...entry.children);
  }
  return backwards.reverse();
}
