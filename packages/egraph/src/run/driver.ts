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
const ROOTS_A_STEP = 2048;
const NUMBERS_A_STEP = 8192;
const MATCHES_A_STEP = 512;
const PARENTS_A_STEP = 4096;

/** Unions left to congruence at which it is restored between applications, not only after them. */
const MAX_BACKLOG = 8192;

const DEFAULT_ITERATIONS = 30;
const DEFAULT_NODES = 10_000;

/** A run with a time limit makes room for so many nodes at most before it starts. */
const MAX_RESERVED_NODES = 1 << 22;

/** Matches go to another buffer once one holds so many numbers: a large one is slow to grow. */
const NUMBERS_A_BUFFER = 1 << 20;

/** What the driver is given: both kinds of options come down to this. */
export interface DriverOptions<D> extends BasicRunOptions<D> {
  readonly timeLimitMs?: number | undefined;
  readonly now?: Clock | undefined;
  /** True to leave even the closing rebuild undone. */
  readonly isAbandoned?: () => boolean;
}

/** What one rule does, while it does it. */
type Count = { -readonly [K in keyof RuleReport]: RuleReport[K] };

/** Matches of one rule, in one stretch of a buffer. */
interface Found {
  readonly buffer: MatchBuffer;
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
  /** Where the matches of an iteration lie: those up to `filling` are in use. */
  private readonly buffers: MatchBuffer[] = [new MatchBuffer()];
  private filling = 0;
  private readonly iterations: Iteration[] = [];
  private totals: ReadonlyArray<RuleReport> = [];
  private readonly scheduler: SchedulerState;
  private readonly delta: boolean;
  /** The epoch at which each rule was last searched and wholly applied. */
  private readonly searched: number[] = [];
  private bound: BoundRule<D>[] = [];
  private stop: StopReason | undefined = undefined;
  private closingRebuildMs = 0;
  /** What the rebuilds of an iteration did. */
  private congruences = 0;
  private rebuildMs = 0;

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
    // Nodes that became equal to others keep their numbers: twice the limit is room for most runs.
    this.egraph.store.reserve(Math.min(nodeLimit * 2, MAX_RESERVED_NODES));
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
      const bytes = this.buffers.reduce((n, b) => n + b.data.byteLength, this.egraph.byteSize);
      if (bytes > memoryLimitBytes) return { _tag: 'MemoryLimit', bytes };
    }
    return undefined;
  }

  private *iterate(): Generator<number> {
    const { egraph, now } = this;
    const index = this.iterations.length;
    const before = egraph.store.changes;
    const counts: Count[] = this.bound.map(({ name }) => newRuleReport(name));
    for (const buffer of this.buffers) buffer.length = 0;
    this.filling = 0;
    this.congruences = 0;
    const found: ReadonlyArray<Found>[] = [];
    this.stop ??= this.exceeded() ?? this.iterationLimit();
    yield* this.hooks(index);
    const start = now();
    if (this.stop === undefined) yield* this.search(index, counts, found);
    const searchedAt = now();
    this.rebuildMs = 0;
    if (this.stop === undefined) yield* this.apply(counts, found);
    const appliedAt = now();
    const applyMs = appliedAt - searchedAt - this.rebuildMs;
    yield* this.rebuild();
    this.closingRebuildMs = this.closing(now() - appliedAt);
    const applied = counts.reduce((sum, count) => sum + count.applied, 0);
    const still = applied === 0 && egraph.store.changes === before;
    if (still && this.stop === undefined && this.scheduler.canStop(index)) {
      this.stop = { _tag: 'Saturated' };
    }
    const iteration: Iteration = {
      nodes: egraph.nodeCount,
      classes: egraph.classCount,
      applied,
      congruences: this.congruences,
      rules: counts,
      searchMs: searchedAt - start,
      applyMs,
      rebuildMs: this.rebuildMs,
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
    found: ReadonlyArray<Found>[],
  ): Generator<number> {
    const { egraph, bound, scheduler } = this;
    const { store } = egraph;
    for (const _ of egraph.tables.refreshing(store, egraph.operators.length)) {
      yield index;
      if (this.check()) return;
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
      const { filling } = this;
      const pieces = yield* this.searchRule(rule, this.searched[r] as number, limit);
      if (this.stop !== undefined) return;
      count.matches = pieces.reduce((sum, { from, to }) => sum + to - from, 0) / rule.stride;
      count.searchMs = this.now() - start;
      if (scheduler.accept(index, rule.name, count.matches)) {
        found[r] = pieces;
        this.searched[r] = epoch;
      } else {
        count.held = 1;
        for (const { buffer, from } of pieces) buffer.length = from;
        this.filling = filling;
      }
      if (this.check()) return;
    }
  }

  private *searchRule(
    rule: BoundRule<D>,
    searched: number,
    limit: number,
  ): Generator<number, ReadonlyArray<Found>> {
    const { egraph } = this;
    const { store, tables } = egraph;
    const since = this.delta && rule.incremental ? searched : -1;
    const mode = this.options.codeGeneration ?? 'auto';
    const { search, roots } = searchOf(egraph, rule, mode, since >= 0);
    const pieces: Found[] = [];
    // One match more than the limit shows that there are more.
    let left = Math.min((limit + 1) * rule.stride, 0x3fffffff);
    let at = 0;
    while (at >= 0 && at < roots && left > 0) {
      const buffer = this.roomy();
      const from = buffer.length;
      const to = Math.min(roots, at + ROOTS_A_STEP);
      const [pause, stop] = [from + NUMBERS_A_STEP, from + left];
      const next = search(store, tables, rule.leftOperators, buffer, at, to, pause, stop, since);
      at = next < 0 ? to : next;
      left -= buffer.length - from;
      const last = pieces.at(-1)?.buffer === buffer ? pieces.pop() : undefined;
      pieces.push({ buffer, from: last?.from ?? from, to: buffer.length });
      yield this.iterations.length;
      if (this.check()) break;
    }
    return pieces;
  }

  /** The buffer that matches go to. */
  private roomy(): MatchBuffer {
    if ((this.buffers[this.filling] as MatchBuffer).length > NUMBERS_A_BUFFER) this.filling++;
    const buffer = this.buffers[this.filling] ?? new MatchBuffer();
    this.buffers[this.filling] = buffer;
    return buffer;
  }

  private *apply(
    counts: ReadonlyArray<Count>,
    found: ReadonlyArray<ReadonlyArray<Found>>,
  ): Generator<number> {
    for (let r = 0; r < this.bound.length; r++) {
      const [rule, count] = [this.bound[r] as BoundRule<D>, counts[r] as Count];
      const start = this.now();
      for (const piece of found[r] ?? []) {
        if (this.stop === undefined) yield* this.applyPiece(rule, count, piece);
      }
      count.applyMs = this.now() - start;
      if (this.stop !== undefined) return;
    }
  }

  private *applyPiece(rule: BoundRule<D>, count: Count, piece: Found): Generator<number> {
    const { egraph } = this;
    const { buffer } = piece;
    const guard = guardOf(egraph, rule, buffer);
    const mode = this.options.codeGeneration ?? 'auto';
    const step = MATCHES_A_STEP * rule.stride;
    for (let at = piece.from; at < piece.to; at += step) {
      const to = Math.min(piece.to, at + step);
      try {
        count.applied += applyRange(egraph, rule, mode, buffer, at, to, guard);
      } catch (signal) {
        if (!(signal instanceof NodeLimitSignal)) throw signal;
        this.stop = this.nodeLimit();
        return;
      }
      if (egraph.store.unmodified.length > 0) this.stop = this.nodeLimit();
      if (egraph.store.backlog > MAX_BACKLOG) yield* this.rebuild();
      yield this.iterations.length;
      if (this.check()) return;
    }
  }

  private nodeLimit(): StopReason {
    const { liveNodes, nodeLimit } = this.egraph.store;
    return { _tag: 'NodeLimit', nodes: liveNodes, limit: nodeLimit };
  }

  private *rebuild(): Generator<number> {
    const { egraph, now } = this;
    const { unions } = egraph.store;
    const start = now();
    while (this.options.isAbandoned?.() !== true && !egraph.rebuildStep(PARENTS_A_STEP)) {
      yield this.iterations.length;
    }
    this.congruences += egraph.store.unions - unions;
    this.rebuildMs += now() - start;
  }
}
