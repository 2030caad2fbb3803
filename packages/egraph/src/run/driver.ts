import { type Diagnostic, failure } from '@baton/base';
import type { EGraph } from '../egraph.ts';
import { MatchBuffer } from '../match/buffer.ts';
import { rules as flatten, type RuleInput } from '../rewrite.ts';
import { NodeLimitSignal } from '../store/nodes.ts';
import { applyRange, type BoundRule, bindRule, guardOf, searchOf } from './bind.ts';
import type { BasicRunOptions, Clock } from './options.ts';
import {
  addRuleReports,
  type Iteration,
  makeReport,
  newRuleReport,
  type Report,
  type RuleReport,
  type StopReason,
} from './report.ts';
import { backoffScheduler, type SchedulerState } from './scheduler.ts';

/** Work between two looks at the limits: a few hundred microseconds each. */
const ROOTS_A_STEP = 4096;
const NUMBERS_A_STEP = 16_384;
const MATCHES_A_STEP = 1024;
const PARENTS_A_STEP = 4096;

const DEFAULT_ITERATIONS = 30;
const DEFAULT_NODES = 10_000;

/** A run with a time limit makes room for so many nodes at most before it starts. */
const MAX_RESERVED_NODES = 1 << 21;

/** What the driver is given: both kinds of options come down to this. */
export interface DriverOptions<D> extends BasicRunOptions<D> {
  readonly timeLimitMs?: number | undefined;
  readonly now?: Clock | undefined;
  /** True to leave even the closing rebuild undone. */
  readonly isAbandoned?: () => boolean;
}

/** What one rule does, while it does it. */
type Count = { -readonly [K in keyof RuleReport]: RuleReport[K] };

/** The matches of one rule in one iteration. */
interface Found {
  readonly from: number;
  readonly to: number;
}

/** A run, cut into steps: each `next()` works for a short while and gives the iteration. */
export const drive = <D>(
  egraph: EGraph<D>,
  input: RuleInput<D>,
  options: DriverOptions<D>,
): Generator<number, Report> => new Driver(egraph, options).run(input);

/** Takes all steps at once. */
export function finish<A>(steps: Generator<unknown, A>): A {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

class Driver<D> {
  private readonly egraph: EGraph<D>;
  private readonly options: DriverOptions<D>;
  private readonly now: Clock;
  private readonly started: number;
  private readonly buffer = new MatchBuffer();
  private readonly iterations: Iteration[] = [];
  private totals: ReadonlyArray<RuleReport> = [];
  private readonly scheduler: SchedulerState;
  private readonly delta: boolean;
  /** The epoch at which each rule was last searched and wholly applied. */
  private readonly searched: number[] = [];
  private bound: BoundRule<D>[] = [];
  private stop: StopReason | undefined = undefined;
  private closingRebuildMs = 0;

  constructor(egraph: EGraph<D>, options: DriverOptions<D>) {
    this.egraph = egraph;
    this.options = options;
    this.now = options.now ?? (() => 0);
    this.started = this.now();
    const scheduler = options.scheduler ?? backoffScheduler();
    this.scheduler = scheduler.start();
    this.delta = options.delta ?? !scheduler.countsAll;
  }

  *run(input: RuleInput<D>): Generator<number, Report> {
    const { egraph, options } = this;
    this.prepare(input);
    const limit = egraph.store.nodeLimit;
    egraph.store.nodeLimit = options.nodeLimit ?? DEFAULT_NODES;
    this.reserve();
    try {
      if (this.stop === undefined) yield* this.rebuild();
      while (this.stop === undefined) {
        yield* this.iterate();
        this.stop ??= this.iterationLimit();
      }
    } finally {
      egraph.store.nodeLimit = limit;
    }
    return makeReport(egraph, {
      stopReason: this.stop,
      iterations: this.iterations,
      rules: this.totals,
      elapsedMs: this.now() - this.started,
      closingRebuildMs: this.closingRebuildMs,
    });
  }

  /**
   * A run that must stop on time reserves what it may need at once: moving large arrays takes tens
   * of milliseconds. Memory that is reserved and not used costs address space only.
   */
  private reserve(): void {
    const { timeLimitMs, shouldStop, memoryLimitBytes, nodeLimit = DEFAULT_NODES } = this.options;
    if (timeLimitMs === undefined && shouldStop === undefined) return;
    if (memoryLimitBytes !== undefined) return;
    this.egraph.store.reserve(Math.min(nodeLimit, MAX_RESERVED_NODES));
    this.buffer.reserve(Math.min(nodeLimit * 4, MAX_RESERVED_NODES * 4));
  }

  private prepare(input: RuleInput<D>): void {
    const list = flatten(input);
    if (list._tag === 'Left') {
      this.stop = { _tag: 'Failed', diagnostics: list.left };
      return;
    }
    const wrong: Diagnostic[] = [];
    this.bound = list.right.map((rule) => bindRule(this.egraph, rule, wrong));
    const refused = failure(wrong);
    if (refused?._tag === 'Left') this.stop = { _tag: 'Failed', diagnostics: refused.left };
    this.totals = this.bound.map(({ name }) => newRuleReport(name));
    this.searched.push(...this.bound.map(() => -1));
  }

  private iterationLimit(): StopReason | undefined {
    const iterations = this.options.iterationLimit ?? DEFAULT_ITERATIONS;
    return this.iterations.length >= iterations
      ? { _tag: 'IterationLimit', iterations }
      : undefined;
  }

  /** Looks at all limits but that of nodes. */
  private check(): boolean {
    this.stop ??= this.exceeded();
    return this.stop !== undefined;
  }

  private exceeded(): StopReason | undefined {
    const { timeLimitMs, memoryLimitBytes, shouldStop } = this.options;
    const { failure: broken } = this.egraph;
    if (broken !== undefined) return { _tag: 'Failed', diagnostics: [broken] };
    if (shouldStop?.() === true) return { _tag: 'Stopped' };
    if (timeLimitMs !== undefined) {
      const elapsedMs = this.now() - this.started;
      if (elapsedMs > timeLimitMs) return { _tag: 'TimeLimit', elapsedMs };
    }
    if (memoryLimitBytes !== undefined) {
      const bytes = this.egraph.byteSize + this.buffer.data.byteLength;
      if (bytes > memoryLimitBytes) return { _tag: 'MemoryLimit', bytes };
    }
    return undefined;
  }

  private *iterate(): Generator<number> {
    const { egraph, now } = this;
    const index = this.iterations.length;
    const before = egraph.store.changes;
    const counts: Count[] = this.bound.map(({ name }) => newRuleReport(name));
    this.buffer.length = 0;
    const found: (Found | undefined)[] = [];
    this.stop ??= this.exceeded() ?? this.iterationLimit();
    yield* this.hooks(index);
    const start = now();
    if (this.stop === undefined) yield* this.search(index, counts, found);
    const searchedAt = now();
    if (this.stop === undefined) yield* this.apply(counts, found);
    const appliedAt = now();
    const unions = egraph.store.unions;
    yield* this.rebuild();
    const rebuiltAt = now();
    this.closingRebuildMs = this.closing(rebuiltAt - appliedAt);
    const applied = counts.reduce((sum, count) => sum + count.applied, 0);
    const still = applied === 0 && egraph.store.changes === before;
    if (still && this.stop === undefined && this.scheduler.canStop(index)) {
      this.stop = { _tag: 'Saturated' };
    }
    const iteration: Iteration = {
      nodes: egraph.nodeCount,
      classes: egraph.classCount,
      applied,
      congruences: egraph.store.unions - unions,
      rules: counts,
      searchMs: searchedAt - start,
      applyMs: appliedAt - searchedAt,
      rebuildMs: rebuiltAt - appliedAt,
    };
    this.iterations.push(iteration);
    this.options.onIteration?.(iteration, index);
    this.totals = this.totals.map((total, r) => addRuleReports(total, counts[r] as Count));
  }

  /** How much of a rebuild came after a limit had been reached. */
  private closing(rebuildMs: number): number {
    if (this.stop !== undefined) return rebuildMs;
    if (!this.check() || this.options.timeLimitMs === undefined) return 0;
    const late = this.now() - this.started - this.options.timeLimitMs;
    return Math.max(0, Math.min(late, rebuildMs));
  }

  private *hooks(index: number): Generator<number> {
    for (const hook of this.options.hooks ?? []) {
      if (this.stop !== undefined) return;
      const message = hook(this.egraph, index);
      if (message !== undefined) this.stop = { _tag: 'Hook', message };
    }
    if (this.egraph.dirty && this.stop === undefined) yield* this.rebuild();
  }

  private *search(
    index: number,
    counts: ReadonlyArray<Count>,
    found: (Found | undefined)[],
  ): Generator<number> {
    const { egraph, bound, scheduler } = this;
    const { store } = egraph;
    for (const _ of egraph.tables.refreshing(store, egraph.operators.length)) {
      if (this.check()) return;
      yield index;
    }
    const epoch = store.epoch++;
    for (let r = 0; r < bound.length; r++) {
      const rule = bound[r] as BoundRule<D>;
      const count = counts[r] as Count;
      const limit = scheduler.limit(index, rule.name);
      if (limit === undefined) {
        count.held = 1;
        continue;
      }
      const start = this.now();
      const from = this.buffer.length;
      yield* this.searchRule(rule, this.searched[r] as number, from + limit * rule.stride);
      if (this.stop !== undefined) return;
      const to = this.buffer.length;
      count.matches = (to - from) / rule.stride;
      count.searchMs = this.now() - start;
      if (scheduler.accept(index, rule.name, count.matches)) {
        found[r] = { from, to };
        this.searched[r] = epoch;
      } else {
        count.held = 1;
        this.buffer.length = from;
      }
      if (this.check()) return;
    }
  }

  private *searchRule(rule: BoundRule<D>, last: number, limit: number): Generator<number> {
    const { egraph, buffer } = this;
    const { store, tables } = egraph;
    const since = this.delta && rule.incremental ? last : -1;
    const mode = this.options.codeGeneration ?? 'auto';
    const { search, roots } = searchOf(egraph, rule, mode, since >= 0);
    const stop = Math.min(limit + rule.stride, 0x3fffffff);
    let at = 0;
    while (at >= 0 && at < roots && buffer.length < stop) {
      const to = Math.min(roots, at + ROOTS_A_STEP);
      const pause = buffer.length + NUMBERS_A_STEP;
      const next = search(store, tables, rule.leftOperators, buffer, at, to, pause, stop, since);
      at = next < 0 ? to : next;
      if (this.check()) return;
      yield this.iterations.length;
    }
  }

  private *apply(
    counts: ReadonlyArray<Count>,
    found: ReadonlyArray<Found | undefined>,
  ): Generator<number> {
    for (let r = 0; r < this.bound.length; r++) {
      const range = found[r];
      if (range === undefined || range.from === range.to) continue;
      const start = this.now();
      yield* this.applyRule(this.bound[r] as BoundRule<D>, counts[r] as Count, range);
      (counts[r] as Count).applyMs = this.now() - start;
      if (this.stop !== undefined) return;
    }
  }

  private *applyRule(rule: BoundRule<D>, count: Count, range: Found): Generator<number> {
    const { egraph, buffer } = this;
    const guard = guardOf(egraph, rule, buffer);
    const mode = this.options.codeGeneration ?? 'auto';
    const step = MATCHES_A_STEP * rule.stride;
    for (let at = range.from; at < range.to; at += step) {
      const to = Math.min(range.to, at + step);
      try {
        count.applied += applyRange(egraph, rule, mode, buffer, at, to, guard);
      } catch (signal) {
        if (!(signal instanceof NodeLimitSignal)) throw signal;
        this.stop = this.nodeLimit();
        return;
      }
      if (egraph.store.unmodified.length > 0) this.stop = this.nodeLimit();
      if (this.check()) return;
      yield this.iterations.length;
    }
  }

  private nodeLimit(): StopReason {
    const { liveNodes, nodeLimit } = this.egraph.store;
    return { _tag: 'NodeLimit', nodes: liveNodes, limit: nodeLimit };
  }

  private *rebuild(): Generator<number> {
    while (!this.egraph.rebuildStep(PARENTS_A_STEP)) {
      if (this.options.isAbandoned?.() === true) return;
      yield this.iterations.length;
    }
  }
}
