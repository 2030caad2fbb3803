import { andThen, type Diagnostic, failure, InvariantError, ok, remember } from '@baton/base';
import { ruleThrew } from '../diagnostics.ts';
import type { EGraph } from '../egraph.ts';
import { rules as flatten, type RuleInput } from '../rewrite.ts';
import { MatchBuffer } from '../store/buffer.ts';
import { NodeLimitSignal } from '../store/nodes.ts';
import { TABLE_BYTES_A_NODE } from '../store/tables.ts';
import { type BoundRule, bindRule } from './bind.ts';
import type { BasicRunOptions, Clock, Signal } from './options.ts';
import { type Iteration, makeReport, NO_WORK, type Report, type StopReason } from './report.ts';
import type { Schedule } from './schedule.ts';
import { backoffScheduler } from './scheduler.ts';

/** Work between two looks at the limits: a few hundred microseconds each. */
const ROOTS_A_STEP = 2048;
const NUMBERS_A_STEP = 8192;
const MATCHES_A_STEP = 768;
const PARENTS_A_STEP = 4096;

/** Unions left to congruence at which it is restored between applications, not only after them. */
const MAX_BACKLOG = 8192;

/** A run with a time limit makes room for so many nodes at most before it starts. */
const MAX_RESERVED_NODES = 1 << 22;

/** More nodes than any machine makes in a millisecond. */
const MAX_NODES_A_MS = 10_000;

/** What the driver is given: both kinds of options come down to this. */
export interface DriverOptions<D> extends BasicRunOptions<D> {
  readonly timeLimitMs?: number | undefined;
  readonly now?: Clock | undefined;
  /** Once it is aborted, even the closing rebuild is left undone. */
  readonly signal?: Signal | undefined;
}

/** A rule in one iteration: what it does, and its matches that are to be applied. */
interface Turn {
  readonly rule: BoundRule;
  readonly count: { name: string } & typeof NO_WORK;
  found: ReadonlyArray<MatchBuffer>;
}

/** Takes all steps at once. */
export function finish<A>(steps: Generator<unknown, A>): A {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** A run, cut into steps: each `next()` works for a short while and gives the iteration. */
export function* drive<D>(
  egraph: EGraph<D>,
  schedule: Schedule<D>,
  options: DriverOptions<D>,
): Generator<number, Report> {
  const { store, tables } = egraph;
  const {
    codeGeneration = 'auto',
    hooks = [],
    iterationLimit = 30,
    memoryLimitBytes,
    nodeLimit = 10_000,
    now = () => 0,
    scheduler = backoffScheduler(),
    shouldStop,
    signal,
    timeLimitMs = Infinity,
    delta = !scheduler.countsAll,
  } = options;
  const started = now();
  const { accept, canStop, limit: limitOf } = scheduler.start();
  const bound = new Map<RuleInput<D>, ReadonlyArray<BoundRule>>();
  const iterations: Iteration[] = [];
  // Where the matches of an iteration lie, a step of search in each; so many are in use. Many small
  // ones grow without a pause.
  const buffers: MatchBuffer[] = [];
  let used = 0;
  let stop: StopReason | undefined;
  // What the rebuilds of an iteration did.
  let congruences = 0;
  let rebuildMs = 0;
  let closingRebuildMs = 0;
  let lapStart = started;

  /** The time since it was last asked for. */
  const lap = (): number => {
    const before = lapStart;
    lapStart = now();
    return lapStart - before;
  };

  const exceeded = (): StopReason | undefined => {
    const { failure: broken } = egraph;
    if (broken) return { _tag: 'Failed', diagnostics: [broken] };
    if (signal?.aborted === true || shouldStop?.() === true) return { _tag: 'Stopped' };
    const elapsedMs = now() - started;
    if (elapsedMs > timeLimitMs) return { _tag: 'TimeLimit', elapsedMs };
    if (memoryLimitBytes === undefined) return undefined;
    const bytes = bytesHeld();
    // The tables grow with the nodes, but only when they are refreshed.
    const owed = Math.max(0, store.uf.length * TABLE_BYTES_A_NODE - tables.bytes);
    store.room = memoryLimitBytes - bytes - owed;
    return bytes > memoryLimitBytes ? { _tag: 'MemoryLimit', bytes } : undefined;
  };

  const bytesHeld = (): number =>
    buffers.reduce((sum, { data }) => sum + data.byteLength, egraph.byteSize);

  /** Looks at all limits but that of nodes: whether the run is over. */
  const isOver = (): boolean => {
    stop ??= exceeded();
    return stop !== undefined;
  };

  const stopAtNodes = (): void => {
    const { liveNodes: nodes } = store;
    stop =
      nodes < nodeLimit
        ? { _tag: 'MemoryLimit', bytes: bytesHeld() }
        : { _tag: 'NodeLimit', nodes, limit: nodeLimit };
  };

  function* rebuild(): Generator<number> {
    const { unions } = store;
    const start = now();
    while (signal?.aborted !== true && !egraph.rebuildStep(PARENTS_A_STEP)) {
      yield iterations.length;
    }
    congruences += store.unions - unions;
    rebuildMs += now() - start;
  }

  function* search({ rule, count }: Turn, limit: number): Generator<number> {
    const start = now();
    const since = delta && rule.incremental ? rule.searched : -1;
    const matcher = rule.matcher(since >= 0);
    // One match more than the limit shows that there are more.
    const most = Math.min((limit + 1) * rule.stride, 0x3fffffff);
    let numbers = 0;
    let at = matcher.from;
    // Making the matcher takes time, too.
    while (at < matcher.to && numbers < most && !isOver()) {
      const buffer = buffers[used] ?? new MatchBuffer();
      buffers[used] = buffer;
      buffer.length = 0;
      at = matcher.search(
        store,
        tables,
        matcher.operators,
        buffer,
        at,
        Math.min(matcher.to, at + ROOTS_A_STEP),
        NUMBERS_A_STEP,
        most - numbers,
        since,
      );
      numbers += buffer.length;
      if (buffer.length > 0) used++;
      yield iterations.length;
    }
    count.matches = numbers / rule.stride;
    count.searchMs = now() - start;
  }

  function* searchAll(turns: ReadonlyArray<Turn>): Generator<number> {
    for (const _ of tables.refreshing(store, egraph.operators.length)) {
      yield iterations.length;
      if (isOver()) return;
    }
    const epoch = store.epoch++;
    for (const turn of turns) {
      const { count, rule } = turn;
      const limit = limitOf(iterations.length, rule.name);
      const first = used;
      if (limit !== undefined) yield* search(turn, limit);
      if (isOver()) return;
      if (limit !== undefined && accept(iterations.length, rule.name, count.matches)) {
        turn.found = buffers.slice(first, used);
        rule.searched = epoch;
      } else {
        count.held = 1;
        used = first;
      }
    }
  }

  function* apply({ count, rule }: Turn, { data, length }: MatchBuffer): Generator<number> {
    const step = MATCHES_A_STEP * rule.stride;
    for (let at = 0; at < length && !stop; at += step) {
      try {
        count.applied += rule.apply(data, at, Math.min(length, at + step));
      } catch (error) {
        if (error instanceof InvariantError) throw error;
        if (error instanceof NodeLimitSignal) stopAtNodes();
        else stop = { _tag: 'Failed', diagnostics: [ruleThrew(rule.name, error)] };
        return;
      }
      if (store.unmodified.length > 0) stopAtNodes();
      if (store.backlog > MAX_BACKLOG) yield* rebuild();
      yield iterations.length;
      isOver();
    }
  }

  function* applyAll(turns: ReadonlyArray<Turn>): Generator<number> {
    for (const turn of turns) {
      const start = now();
      for (const buffer of turn.found) yield* apply(turn, buffer);
      turn.count.applyMs = now() - start;
    }
  }

  /** One iteration with these rules: whether it changed anything. */
  function* iterate(rules: ReadonlyArray<BoundRule>): Generator<number, boolean> {
    const index = iterations.length;
    const before = store.changes;
    const turns = rules.map(
      (rule): Turn => ({ rule, count: { name: rule.name, ...NO_WORK }, found: [] }),
    );
    used = 0;
    congruences = 0;
    for (const hook of hooks) {
      const message = isOver() ? undefined : hook(egraph, index);
      if (message !== undefined) stop = { _tag: 'Hook', message };
    }
    if (egraph.dirty && !isOver()) yield* rebuild();
    lap();
    if (!isOver()) yield* searchAll(turns);
    const searchMs = lap();
    rebuildMs = 0;
    if (!isOver()) yield* applyAll(turns);
    const applyMs = lap() - rebuildMs;
    // Of a rebuild in which the time runs out, what comes after that.
    const deadline = stop ? -Infinity : started + timeLimitMs;
    yield* rebuild();
    closingRebuildMs = Math.max(0, Math.min(lap(), lapStart - deadline));
    const counts = turns.map(({ count }) => count);
    const applied = counts.reduce((sum, count) => sum + count.applied, 0);
    const iteration: Iteration = {
      nodes: egraph.nodeCount,
      classes: egraph.classCount,
      applied,
      congruences,
      rules: counts,
      searchMs,
      applyMs,
      rebuildMs,
    };
    iterations.push(iteration);
    options.onIteration?.(iteration, index);
    return isOver() || applied > 0 || store.changes !== before || !canStop(index);
  }

  /** The rules ready for this e-graph; ends the run if they do not fit. */
  const bind = (input: RuleInput<D>): ReadonlyArray<BoundRule> =>
    remember(bound, input, () => {
      const wrong: Diagnostic[] = [];
      const rules = andThen(flatten(input), (list) => {
        const made = list.map((rule) => bindRule(egraph, rule, codeGeneration, wrong));
        return failure(wrong) ?? ok(made);
      });
      if (rules._tag === 'Right') return rules.right;
      stop = { _tag: 'Failed', diagnostics: rules.left };
      return [];
    });

  /** A part of the schedule: whether it changed anything. */
  function* part(plan: Schedule<D>): Generator<number, boolean> {
    let changed = false;
    if (plan._tag === 'Ruleset') {
      if (iterations.length >= iterationLimit) {
        stop ??= { _tag: 'IterationLimit', iterations: iterationLimit };
      }
      const rules = stop ? [] : bind(plan.rules);
      return !stop && (yield* iterate(rules));
    }
    if (plan._tag === 'Sequence') {
      for (const inner of plan.parts) if (yield* part(inner)) changed = true;
      return changed;
    }
    const times = plan._tag === 'Repeat' ? plan.times : Infinity;
    for (let i = 0; i < times && (yield* part(plan.part)); i++) changed = true;
    return changed;
  }

  const limitBefore = store.nodeLimit;
  store.nodeLimit = nodeLimit;
  // A run that must stop on time reserves what it may need at once: moving large arrays takes tens
  // of milliseconds. Memory that is reserved and not used costs address space only.
  if ((options.timeLimitMs !== undefined || shouldStop) && memoryLimitBytes === undefined) {
    // Nodes that became equal to others keep their numbers: twice the limit is room for most runs.
    store.reserve(Math.min(nodeLimit * 2, MAX_RESERVED_NODES, timeLimitMs * MAX_NODES_A_MS));
  }
  try {
    yield* rebuild();
    const changed = yield* part(schedule);
    const isStill = schedule._tag === 'Saturate' || !changed;
    const stopReason: StopReason = stop ?? { _tag: isStill ? 'Saturated' : 'ScheduleEnd' };
    return makeReport(egraph, stopReason, iterations, now() - started, closingRebuildMs);
  } finally {
    store.nodeLimit = limitBefore;
    store.room = Infinity;
  }
}
