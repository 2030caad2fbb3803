/** The report of a run. */
import { type Diagnostics, fail, ok, type Result, remember } from '@baton/base';

export type StopReason =
  /** No rule changed anything, and the scheduler holds none back. */
  | { readonly _tag: 'Saturated' }
  | { readonly _tag: 'IterationLimit'; readonly iterations: number }
  /** The next node would have exceeded the limit: there are at most `limit` nodes. */
  | { readonly _tag: 'NodeLimit'; readonly nodes: number; readonly limit: number }
  | { readonly _tag: 'TimeLimit'; readonly elapsedMs: number }
  | { readonly _tag: 'MemoryLimit'; readonly bytes: number }
  /** `shouldStop` returned true, or the signal was aborted. */
  | { readonly _tag: 'Stopped' }
  /** A hook gave this reason. */
  | { readonly _tag: 'Hook'; readonly message: string }
  | { readonly _tag: 'ScheduleEnd' }
  /** A rule does not fit the language or threw, or the analysis does not converge. */
  | { readonly _tag: 'Failed'; readonly diagnostics: Diagnostics };

/** Milliseconds by phase; all 0 without a clock. */
export interface Phases {
  readonly searchMs: number;
  readonly applyMs: number;
  readonly rebuildMs: number;
}

/** The effect of one rule in one iteration or one run. */
export interface RuleReport {
  readonly name: string;
  /** The matches found; with delta matching, the new ones. */
  readonly matches: number;
  /** Matches whose application changed the e-graph. */
  readonly applied: number;
  readonly held: number;
  readonly searchMs: number;
  readonly applyMs: number;
}

/** The report of one round: search with every rule, apply all matches, rebuild. */
export interface Iteration extends Phases {
  readonly nodes: number;
  readonly classes: number;
  /** Applications that changed the e-graph. */
  readonly applied: number;
  /** Unions that congruence forced. */
  readonly congruences: number;
  readonly rules: ReadonlyArray<RuleReport>;
}

export interface Report extends Phases {
  readonly stopReason: StopReason;
  /** The stop reason, or the diagnostics of a run that failed: `orThrow(report.outcome)`. */
  readonly outcome: Result<StopReason>;
  readonly iterations: ReadonlyArray<Iteration>;
  readonly rules: ReadonlyArray<RuleReport>;
  readonly nodes: number;
  readonly classes: number;
  readonly elapsedMs: number;
  /** The part of `rebuildMs` spent after a limit had been reached. */
  readonly closingRebuildMs: number;
}

export const NO_WORK = { matches: 0, applied: 0, held: 0, searchMs: 0, applyMs: 0 };

export function makeReport(
  { nodeCount: nodes, classCount: classes }: { nodeCount: number; classCount: number },
  stopReason: StopReason,
  iterations: ReadonlyArray<Iteration>,
  elapsedMs: number,
  closingRebuildMs: number,
): Report {
  const phases = { searchMs: 0, applyMs: 0, rebuildMs: 0 };
  const totals = new Map<string, typeof NO_WORK>();
  for (const iteration of iterations) {
    add(phases, iteration);
    for (const rule of iteration.rules) {
      const total = remember(totals, rule.name, () => ({ ...NO_WORK }));
      add(total, rule);
    }
  }
  const rules = Array.from(totals, ([name, total]) => ({ name, ...total }));
  return {
    stopReason,
    outcome: stopReason._tag === 'Failed' ? fail(...stopReason.diagnostics) : ok(stopReason),
    iterations,
    rules,
    nodes,
    classes,
    ...phases,
    elapsedMs,
    closingRebuildMs,
  };
}

/** Adds up field by field. */
function add<T extends Record<keyof T, number>>(total: T, more: Readonly<T>): void {
  for (const field in total) total[field] = (total[field] + more[field]) as T[typeof field];
}

export function printStopReason(reason: StopReason): string {
  switch (reason._tag) {
    case 'Saturated':
      return 'saturated';
    case 'IterationLimit':
      return `iteration limit of ${reason.iterations} reached`;
    case 'NodeLimit':
      return `node limit of ${reason.limit} reached`;
    case 'TimeLimit':
      return `time limit reached after ${reason.elapsedMs.toFixed(1)} ms`;
    case 'MemoryLimit':
      return `memory limit reached at ${reason.bytes} bytes`;
    case 'Stopped':
      return 'stopped from outside';
    case 'Hook':
      return reason.message;
    case 'ScheduleEnd':
      return 'end of the schedule';
    case 'Failed':
      return reason.diagnostics.map((d) => d.message).join('; ');
  }
}
