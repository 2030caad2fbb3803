/** Runs of equality saturation. */
import type { EGraph } from '../egraph.ts';
import type { RuleSource } from '../rewrite.ts';
import { drive, finish } from './driver.ts';
import { startRun } from './limits.ts';
import { type AsyncRunOptions, checkRunOptions, type RunOptions } from './options.ts';
import type { Report } from './report.ts';
import { ruleset, type Schedule, saturate } from './schedule.ts';
import { simpleScheduler } from './scheduler.ts';

/** The time that `runAsync` works before it lets the event loop turn. */
const SLICE_MS = 3;

/**
 * Equality saturation: each iteration searches with every rule, then applies all matches, then
 * rebuilds, until nothing changes or a limit is reached. `report.stopReason` has the reason.
 *
 * **Errors** an option that is unknown, or of a wrong type, ends the run before its first iteration
 * (`OPTION_*`). Never throws for a rule. A rule that failed to build or does not fit the language ends
 * the run before its first iteration; one whose condition or right-hand side throws ends it with
 * `EGRAPH_RULE_THREW`. `report.outcome` is the failure, and `orThrow(report.outcome)` throws it.
 */
export function run<D>(
  egraph: EGraph<D>,
  rules: RuleSource<NoInfer<D>>,
  options: RunOptions<D> = {},
): Report {
  const wrong = checkRunOptions('run', options, run);
  return finish(drive(startRun(egraph, options, wrong), saturate(ruleset(rules))));
}

/**
 * Runs a schedule, by default with `simpleScheduler`. Limits hold for the whole schedule; its
 * regular end is `Saturated` if it is a {@link saturate} or changed nothing, else `ScheduleEnd`.
 */
export function runSchedule<D>(
  egraph: EGraph<D>,
  schedule: Schedule<NoInfer<D>>,
  options: RunOptions<D> = {},
): Report {
  const wrong = checkRunOptions('runSchedule', options, runSchedule);
  const state = startRun(egraph, { scheduler: simpleScheduler, ...options }, wrong);
  return finish(drive(state, schedule));
}

/**
 * Like {@link run}, but lets the event loop turn at least every 4 ms, and stops when the signal is
 * aborted. The e-graph must be left alone until the promise settles. After an abort it may be
 * dirty: `egraph.rebuild()` does the rest.
 */
export async function runAsync<D>(
  egraph: EGraph<D>,
  rules: RuleSource<NoInfer<D>>,
  options: AsyncRunOptions<D>,
): Promise<Report> {
  const { now, yieldNow = turnEventLoop, onProgress } = options;
  // A run that may be stopped makes room at once, and then has no long pauses.
  const wrong = checkRunOptions('runAsync', options, runAsync);
  const state = startRun(egraph, { shouldStop: () => false, ...options }, wrong);
  const steps = drive(state, saturate(ruleset(rules)));
  const started = now();
  let sliceEnd = started + SLICE_MS;
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    const time = now();
    if (time < sliceEnd) continue;
    onProgress?.({
      iteration: state.iterations.length,
      nodes: egraph.nodeCount,
      classes: egraph.classCount,
      elapsedMs: time - started,
    });
    await yieldNow();
    sliceEnd = now() + SLICE_MS;
  }
}

/** The platform functions for letting other work proceed; every platform has them. */
interface Platform {
  readonly MessageChannel: new () => {
    readonly port1: { onmessage: (() => void) | null; close: () => void };
    readonly port2: { postMessage: (message: unknown) => void };
  };
}

/** Waits for the event loop, without the 4 ms that browsers add to nested timers. */
function turnEventLoop(): Promise<void> {
  const { MessageChannel } = globalThis as unknown as Platform;
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
