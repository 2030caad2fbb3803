/** The driver of runs, as steps. */
import { andThen, type Diagnostic, failure, isLeft, ok, remember } from '@baton/base';
import { rules as flatten, type RuleInput, type RuleSource } from '../rewrite.ts';
import { reserve } from '../store/hashcons.ts';
import { type BoundRule, bindRule } from './bind.ts';
import { isOver, type Run } from './limits.ts';
import { applyAll, rebuild, searchAll, type Turn } from './phases.ts';
import { type Iteration, makeReport, NO_WORK, type Report, type StopReason } from './report.ts';
import type { Schedule } from './schedule.ts';

/** The most nodes for which a run with a time limit reserves memory before it starts. */
const MAX_RESERVED_NODES = 1 << 22;

/** More nodes than any machine makes in a millisecond. */
const MAX_NODES_A_MS = 10_000;

export function finish<A>(steps: Generator<unknown, A>): A {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** A run, cut into steps: each `next()` works for a short while. */
export function* drive<D>(run: Run<D>, schedule: Schedule<D>): Generator<undefined, Report> {
  const { egraph, iterations, nodeLimit, now, started, timeLimitMs } = run;
  const { store } = egraph;
  const limitBefore = store.nodeLimit;
  store.nodeLimit = nodeLimit;
  // A run that must stop on time reserves room at once, since moving large arrays takes tens of
  // milliseconds. Reserved but unused memory costs only address space.
  const mustStopOnTime = timeLimitMs < Infinity || run.shouldStop;
  if (mustStopOnTime && run.memoryLimitBytes === undefined) {
    // Merged nodes keep their numbers: twice the limit is room for most runs.
    reserve(store, Math.min(nodeLimit * 2, MAX_RESERVED_NODES, timeLimitMs * MAX_NODES_A_MS));
  }
  try {
    yield* rebuild(run);
    const changed = yield* follow(run, schedule);
    const isStill = schedule._tag === 'Saturate' || !changed;
    const stopReason: StopReason = run.stop ?? { _tag: isStill ? 'Saturated' : 'ScheduleEnd' };
    return makeReport(egraph, stopReason, iterations, now() - started, run.closingRebuildMs);
  } finally {
    store.nodeLimit = limitBefore;
    store.room = Infinity;
  }
}

/** Follows a part of the schedule; whether it changed anything. */
function* follow<D>(run: Run<D>, plan: Schedule<D>): Generator<undefined, boolean> {
  if (plan._tag === 'Ruleset') {
    const { iterationLimit = 30 } = run;
    if (run.iterations.length >= iterationLimit) {
      run.stop ??= { _tag: 'IterationLimit', iterations: iterationLimit };
    }
    const rules = run.stop ? [] : bind(run, plan.rules);
    return !run.stop && (yield* iterate(run, rules));
  }
  let changed = false;
  if (plan._tag === 'Sequence') {
    for (const inner of plan.parts) if (yield* follow(run, inner)) changed = true;
    return changed;
  }
  const times = plan._tag === 'Repeat' ? plan.times : Infinity;
  for (let i = 0; i < times && (yield* follow(run, plan.part)); i++) changed = true;
  return changed;
}

/** The rules bound to this e-graph; ends the run if they do not fit. */
function bind<D>(run: Run<D>, source: RuleSource<D>): ReadonlyArray<BoundRule> {
  const { bound, codeGeneration, egraph } = run;
  const bindAll = (input: RuleInput<D>): ReadonlyArray<BoundRule> => {
    const wrong: Diagnostic[] = [];
    const rules = andThen(flatten(input), (list) => {
      const made = list.flatMap((rule) =>
        remember(bound, rule, () => [bindRule(egraph, rule, codeGeneration, wrong)]),
      );
      return failure(wrong) ?? ok(made);
    });
    if (!isLeft(rules)) return rules.right;
    run.stop = { _tag: 'Failed', diagnostics: rules.left };
    return [];
  };
  return typeof source === 'function'
    ? bindAll(source())
    : remember(bound, source, () => bindAll(source));
}

function* iterate<D>(run: Run<D>, rules: ReadonlyArray<BoundRule>): Generator<undefined, boolean> {
  const { egraph, hooks = [], iterations, now, rebuilt } = run;
  const index = iterations.length;
  const before = egraph.store.changes;
  const turns = rules.map(
    (rule): Turn => ({ rule, count: { name: rule.name, ...NO_WORK }, found: [] }),
  );
  rebuilt.congruences = 0;
  for (const hook of hooks) {
    const message = isOver(run) ? undefined : hook(egraph, index);
    if (message !== undefined) run.stop = { _tag: 'Hook', message };
  }
  if (egraph.dirty && !isOver(run)) yield* rebuild(run);
  const start = now();
  if (!isOver(run)) yield* searchAll(run, turns);
  const searched = now();
  rebuilt.rebuildMs = 0;
  if (!isOver(run)) yield* applyAll(run, turns);
  const appliedAt = now();
  const applyMs = appliedAt - searched - rebuilt.rebuildMs;
  // If the time runs out during a rebuild, the rest of it counts as closing.
  const deadline = run.stop ? -Infinity : run.started + run.timeLimitMs;
  yield* rebuild(run);
  const end = now();
  run.closingRebuildMs = Math.max(0, Math.min(end - appliedAt, end - deadline));
  const counts = turns.map(({ count }) => count);
  const applied = counts.reduce((sum, count) => sum + count.applied, 0);
  const iteration: Iteration = {
    nodes: egraph.nodeCount,
    classes: egraph.classCount,
    applied,
    rules: counts,
    searchMs: searched - start,
    applyMs,
    ...rebuilt,
  };
  iterations.push(iteration);
  run.onIteration?.(iteration, index);
  const hasChanged = applied > 0 || egraph.store.changes !== before;
  return isOver(run) || hasChanged || !run.plan.canStop(index);
}
