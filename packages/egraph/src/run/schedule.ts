import type { EGraph } from '../egraph.ts';
import type { RuleInput } from '../rewrite.ts';
import { type DriverOptions, drive, finish } from './driver.ts';
import type { RunOptions } from './options.ts';
import {
  addRuleReports,
  type Iteration,
  makeReport,
  newRuleReport,
  type Report,
  type RuleReport,
  type StopReason,
} from './report.ts';
import { simpleScheduler } from './scheduler.ts';

/** A phased plan: which rulesets run, in which order, how often. */
export type Schedule<D> =
  | { readonly _tag: 'Ruleset'; readonly rules: RuleInput<D> }
  | { readonly _tag: 'Sequence'; readonly parts: ReadonlyArray<Schedule<D>> }
  | { readonly _tag: 'Repeat'; readonly times: number; readonly part: Schedule<D> }
  | { readonly _tag: 'Saturate'; readonly part: Schedule<D> };

/** One iteration with these rules. */
export const ruleset = <D = unknown>(rules: RuleInput<D>): Schedule<D> => ({
  _tag: 'Ruleset',
  rules,
});

/** One part after the other. */
export const sequence = <D = unknown>(...parts: ReadonlyArray<Schedule<D>>): Schedule<D> => ({
  _tag: 'Sequence',
  parts,
});

/** A part so many times, or until it changes nothing. */
export const repeat = <D = unknown>(times: number, part: Schedule<D>): Schedule<D> => ({
  _tag: 'Repeat',
  times,
  part,
});

/** A part until it changes nothing. */
export const saturate = <D = unknown>(part: Schedule<D>): Schedule<D> => ({
  _tag: 'Saturate',
  part,
});

/**
 * Runs a schedule. Limits hold for the whole of it; its regular end is `ScheduleEnd`, or
 * `Saturated` if the whole changed nothing the last time.
 */
export function runSchedule<D>(
  egraph: EGraph<D>,
  schedule: Schedule<NoInfer<D>>,
  options: RunOptions<D> = {},
): Report {
  return new ScheduleRun(egraph, options).run(schedule);
}

class ScheduleRun<D> {
  private readonly egraph: EGraph<D>;
  private readonly options: DriverOptions<D>;
  private readonly started: number;
  private readonly iterations: Iteration[] = [];
  private readonly totals = new Map<string, RuleReport>();
  private stop: StopReason | undefined = undefined;
  private closingRebuildMs = 0;

  constructor(egraph: EGraph<D>, options: RunOptions<D>) {
    this.egraph = egraph;
    this.options = options;
    this.started = options.now?.() ?? 0;
  }

  run(schedule: Schedule<D>): Report {
    const changed = this.part(schedule);
    const end: StopReason = changed ? { _tag: 'ScheduleEnd' } : { _tag: 'Saturated' };
    return makeReport(this.egraph, {
      stopReason: this.stop ?? end,
      iterations: this.iterations,
      rules: [...this.totals.values()],
      elapsedMs: this.elapsed(),
      closingRebuildMs: this.closingRebuildMs,
    });
  }

  private elapsed(): number {
    return (this.options.now?.() ?? 0) - this.started;
  }

  /** Runs a part; whether it changed anything. */
  private part(schedule: Schedule<D>): boolean {
    switch (schedule._tag) {
      case 'Ruleset':
        return this.stop === undefined && this.once(schedule.rules);
      case 'Sequence':
        return schedule.parts.reduce((changed, part) => this.part(part) || changed, false);
      case 'Repeat':
        return this.loop(schedule.part, schedule.times);
      case 'Saturate':
        return this.loop(schedule.part, Number.POSITIVE_INFINITY);
    }
  }

  private loop(part: Schedule<D>, times: number): boolean {
    let changed = false;
    for (let i = 0; i < times && this.stop === undefined && this.part(part); i++) changed = true;
    return changed;
  }

  private once(rules: RuleInput<D>): boolean {
    const limit = this.options.iterationLimit ?? 30;
    if (this.iterations.length >= limit) {
      this.stop = { _tag: 'IterationLimit', iterations: limit };
      return false;
    }
    const { timeLimitMs } = this.options;
    const steps = drive(this.egraph, rules, {
      ...this.options,
      scheduler: this.options.scheduler ?? simpleScheduler,
      iterationLimit: 1,
      timeLimitMs: timeLimitMs === undefined ? undefined : timeLimitMs - this.elapsed(),
    });
    const report = finish(steps);
    this.iterations.push(...report.iterations);
    this.closingRebuildMs = report.closingRebuildMs;
    for (const rule of report.rules) {
      const total = this.totals.get(rule.name) ?? newRuleReport(rule.name);
      this.totals.set(rule.name, addRuleReports(total, rule));
    }
    const { stopReason } = report;
    if (stopReason._tag === 'Saturated') return false;
    if (stopReason._tag !== 'IterationLimit') this.stop = stopReason;
    return true;
  }
}
