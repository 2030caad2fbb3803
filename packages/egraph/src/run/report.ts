import type { Diagnostics } from '@baton/base';

/** Why a run ended. */
export type StopReason =
  /** No rule changed anything, and the scheduler holds none back. */
  | { readonly _tag: 'Saturated' }
  | { readonly _tag: 'IterationLimit'; readonly iterations: number }
  /** The next node would have exceeded the limit: there are at most `limit` nodes. */
  | { readonly _tag: 'NodeLimit'; readonly nodes: number; readonly limit: number }
  | { readonly _tag: 'TimeLimit'; readonly elapsedMs: number }
  | { readonly _tag: 'MemoryLimit'; readonly bytes: number }
  /** `shouldStop` said so, or the signal was aborted. */
  | { readonly _tag: 'Stopped' }
  /** A hook gave this reason. */
  | { readonly _tag: 'Hook'; readonly message: string }
  /** A schedule came to its end. */
  | { readonly _tag: 'ScheduleEnd' }
  /** A rule does not fit the language, or the analysis does not converge. */
  | { readonly _tag: 'Failed'; readonly diagnostics: Diagnostics };

/** Milliseconds by phase; all 0 without a clock. */
export interface Phases {
  readonly searchMs: number;
  readonly applyMs: number;
  readonly rebuildMs: number;
}

/** What one rule did in one iteration or one run. */
export interface RuleReport {
  readonly name: string;
  /** Matches found; with delta matching, those that are new. */
  readonly matches: number;
  /** Matches whose application changed the e-graph. */
  readonly applied: number;
  /** In how many iterations the scheduler held the rule back. */
  readonly held: number;
  readonly searchMs: number;
  readonly applyMs: number;
}

/** What happened in one round: search with every rule, apply all matches, rebuild. */
export interface Iteration extends Phases {
  readonly nodes: number;
  readonly classes: number;
  /** Applications that changed the e-graph. */
  readonly applied: number;
  /** Unions that congruence forced. */
  readonly congruences: number;
  readonly rules: ReadonlyArray<RuleReport>;
}

/** What a run did and why it ended. */
export interface Report extends Phases {
  readonly stopReason: StopReason;
  readonly iterations: ReadonlyArray<Iteration>;
  /** Totals by rule, in the order of the rules. */
  readonly rules: ReadonlyArray<RuleReport>;
  readonly nodes: number;
  readonly classes: number;
  readonly elapsedMs: number;
  /** The part of `rebuildMs` spent after a limit had been reached. */
  readonly closingRebuildMs: number;
}

/** The report of a rule that has done nothing yet. */
export const newRuleReport = (name: string): RuleReport => ({
  name,
  matches: 0,
  applied: 0,
  held: 0,
  searchMs: 0,
  applyMs: 0,
});

/** What a rule did in two parts of a run. */
export const addRuleReports = (a: RuleReport, b: RuleReport): RuleReport => ({
  name: a.name,
  matches: a.matches + b.matches,
  applied: a.applied + b.applied,
  held: a.held + b.held,
  searchMs: a.searchMs + b.searchMs,
  applyMs: a.applyMs + b.applyMs,
});

/** The report of a run, from its parts. */
export function makeReport(
  egraph: { readonly nodeCount: number; readonly classCount: number },
  parts: Pick<Report, 'stopReason' | 'iterations' | 'rules' | 'elapsedMs' | 'closingRebuildMs'>,
): Report {
  const sum = (phase: keyof Phases): number =>
    parts.iterations.reduce((total, iteration) => total + iteration[phase], 0);
  return {
    ...parts,
    nodes: egraph.nodeCount,
    classes: egraph.classCount,
    searchMs: sum('searchMs'),
    applyMs: sum('applyMs'),
    rebuildMs: sum('rebuildMs'),
  };
}

/** A stop reason in words. */
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
