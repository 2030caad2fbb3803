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
  /** How often each row of the pass's case table applied; rows that did not are left out. */
  readonly counts: Readonly<Record<string, number>>;
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

/** How often the rows of passes applied: by the pass's name, then by the row's. */
export type PassStatistics = ReadonlyMap<string, Readonly<Record<string, number>>>;

/** The counts of a run, those of all applications of a pass together, in order of first use. */
export function passStatistics(report: PassReport): PassStatistics {
  const sums = new Map<string, Record<string, number>>();
  for (const { name, counts } of passesRun(report)) {
    const sum = sums.get(name) ?? {};
    sums.set(name, sum);
    for (const [row, times] of Object.entries(counts)) sum[row] = (sum[row] ?? 0) + times;
  }
  return sums;
}
