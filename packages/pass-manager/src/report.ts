/** The report of a run of passes. */
import { remember } from '@baton/base';
import type { IRModule } from '@baton/ir';
import { sumCounts } from './counts.ts';
import type { FastMath } from './fast-math.ts';

export type SkipReason = 'disabled' | 'level' | 'instrument';

/** The report of one application of a pass. Durations are milliseconds of the context's clock. */
export interface PassReportEntry {
  readonly name: string;
  /** The time of the pass and of all that it ran, inference included. */
  readonly ms: number;
  /** The part of `ms` that went into inferring types, children included. */
  readonly inferMs: number;
  readonly nodesBefore: number;
  readonly nodesAfter: number;
  /** Whether the pass only runs its children. */
  readonly isPipeline: boolean;
  /** Whether another pass required it, and so contains its time. */
  readonly isRequired: boolean;
  /** Whether the pass returned another module. */
  readonly changed: boolean;
  readonly skipped?: SkipReason;
  /** The counters and remarks of the pass that are not 0. */
  readonly counts: Readonly<Record<string, number>>;
  /** The times added to counters, also to some that never applied. Counters may overlap. */
  readonly rowMs: Readonly<Record<string, number>>;
  /** The passes that this one ran: its required passes, or the parts of a pipeline. */
  readonly children: ReadonlyArray<PassReportEntry>;
}

/** One pass of a run as a line for `console.table`. */
export interface PassRow {
  readonly name: string;
  /** Rounded to microseconds. */
  readonly ms: number;
  readonly nodesBefore: number;
  readonly nodesAfter: number;
  /** A summary in words: its counters, `nothing`, or the reason for a skip. */
  readonly did: string;
}

export interface PassReport {
  /** The passes in order, skipped ones included, without those that another one ran. */
  readonly passes: ReadonlyArray<PassRow>;
  /** The same as a tree with all figures: pipelines hold their parts. */
  readonly tree: ReadonlyArray<PassReportEntry>;
  /** The needs of the passes that changed something. */
  readonly needs: ReadonlyArray<FastMath>;
  readonly ms: number;
  /** The time of all inference, also before the first pass. */
  readonly inferMs: number;
  readonly nodesBefore: number;
  readonly nodesAfter: number;
}

export interface PassResult {
  readonly module: IRModule;
  readonly report: PassReport;
}

/** The lines of a tree, with pipelines flattened. */
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
  const applied = Object.entries(counts).map(([counter, times]) => `${counter} ${times}`);
  return applied.length === 0 ? 'changed the program' : applied.join(', ');
}

const SKIPPED: { readonly [R in SkipReason]: string } = {
  level: "left out: above the context's level",
  disabled: 'left out: disabled by the context',
  instrument: 'left out: an instrument stopped it',
};

/** The passes that ran, at any depth, without pipelines, in the order in which they ended. */
export function passesRun(report: Pick<PassReport, 'tree'>): ReadonlyArray<PassReportEntry> {
  const backwards: PassReportEntry[] = [];
  const pending = [...report.tree];
  for (let entry = pending.pop(); entry !== undefined; entry = pending.pop()) {
    if (entry.skipped !== undefined) continue;
    if (!entry.isPipeline) backwards.push(entry);
    pending.push(...entry.children);
  }
  return backwards.reverse();
}

/** Counters and remarks by the name of the pass, then by their own. */
export type PassStatistics = ReadonlyMap<string, Readonly<Record<string, number>>>;

/** The counts of a run, summed over all applications of a pass, in order of first use. */
export function passStatistics(report: Pick<PassReport, 'tree'>): PassStatistics {
  const runs = new Map<string, PassReportEntry['counts'][]>();
  for (const { name, counts } of passesRun(report)) remember(runs, name, () => []).push(counts);
  return new Map([...runs].map(([name, all]) => [name, sumCounts(all)]));
}
