import type { IRModule } from '@baton/ir';
import type { FastMath } from './fast-math.ts';

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
  /** Whether another pass required it: a part of that, then. */
  readonly isRequired: boolean;
  /** Whether the pass returned another module. */
  readonly changed: boolean;
  readonly skipped?: SkipReason;
  /** How often each row of the pass's case table applied; rows that did not are left out. */
  readonly counts: Readonly<Record<string, number>>;
  /** The passes that this one ran: those it requires, and those of a pipeline. */
  readonly children: ReadonlyArray<PassReportEntry>;
}

/** One pass of a run in a line, as `console.table` shows it. */
export interface PassRow {
  readonly name: string;
  /** Rounded to microseconds. */
  readonly ms: number;
  readonly nodesBefore: number;
  readonly nodesAfter: number;
  /** In words: how often its rows applied, that it changed nothing, or why it was left out. */
  readonly did: string;
}

/** What a run did. */
export interface PassReport {
  /**
   * The passes one by one, in the order in which they ran; those that a pipeline left out have a
   * line, too. What a pass runs itself, or requires, is a part of it.
   */
  readonly passes: ReadonlyArray<PassRow>;
  /** The same as a tree, with all figures: pipelines hold what they ran. */
  readonly tree: ReadonlyArray<PassReportEntry>;
  /** What the passes that changed something may do to rounding and to special values. */
  readonly needs: ReadonlyArray<FastMath>;
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

/** The lines of a tree: pipelines are taken apart. */
export function rowsOf(tree: ReadonlyArray<PassReportEntry>): ReadonlyArray<PassRow> {
  const rows: PassRow[] = [];
  const pending = [...tree].reverse();
  for (let entry = pending.pop(); entry !== undefined; entry = pending.pop()) {
    if (entry.isPipeline && entry.skipped === undefined)
      pending.push(...entry.children.filter((child) => !child.isRequired).reverse());
    else rows.push(rowOf(entry));
  }
  return rows;
}

const rowOf = (entry: PassReportEntry): PassRow => ({
  name: entry.name,
  ms: Math.round(entry.ms * 1000) / 1000,
  nodesBefore: entry.nodesBefore,
  nodesAfter: entry.nodesAfter,
  did: didOf(entry),
});

function didOf({ skipped, changed, counts }: PassReportEntry): string {
  if (skipped !== undefined) return SKIPPED[skipped];
  if (!changed) return 'nothing';
  const applied = Object.entries(counts).map(([row, times]) => `${row} ${times}`);
  return applied.length === 0 ? 'changed the program' : applied.join(', ');
}

const SKIPPED: { readonly [R in SkipReason]: string } = {
  level: "left out: above the context's level",
  disabled: 'left out: disabled by the context',
  instrument: 'left out: an instrument stopped it',
};

/** The passes that ran, at whatever depth, pipelines left out, in the order in which they ended. */
export function passesRun(report: PassReport): ReadonlyArray<PassReportEntry> {
  const backwards: PassReportEntry[] = [];
  const pending = [...report.tree];
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
