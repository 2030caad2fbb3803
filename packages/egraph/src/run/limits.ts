import type { EGraph } from '../egraph.ts';
import type { RuleInput } from '../rewrite.ts';
import type { MatchBuffer } from '../store/buffer.ts';
import { TABLE_BYTES_A_NODE } from '../store/tables.ts';
import type { BoundRule } from './bind.ts';
import type { BasicRunOptions, Clock, Signal } from './options.ts';
import type { Iteration, StopReason } from './report.ts';
import { backoffScheduler, type SchedulerState } from './scheduler.ts';

/** What a run is given: both kinds of options come down to this. */
interface AnyOptions<D> extends BasicRunOptions<D> {
  readonly timeLimitMs?: number | undefined;
  readonly now?: Clock | undefined;
  readonly signal?: Signal | undefined;
}

/** A run that is under way: its options, complete, and what it has done so far. */
export interface Run<D> extends AnyOptions<D> {
  readonly egraph: EGraph<D>;
  readonly nodeLimit: number;
  readonly timeLimitMs: number;
  readonly now: Clock;
  readonly delta: boolean;
  /** The scheduler's state of this run. */
  readonly plan: SchedulerState;
  readonly started: number;
  readonly bound: Map<RuleInput<D>, ReadonlyArray<BoundRule>>;
  readonly iterations: Iteration[];
  /**
   * Where the matches of an iteration lie, a step of search in each; the first `used` are in use. Many
   * small ones grow without a pause.
   */
  readonly buffers: MatchBuffer[];
  used: number;
  /** Why the run is over. */
  stop: StopReason | undefined;
  /** What the rebuilds of an iteration did. */
  readonly rebuilt: { congruences: number; rebuildMs: number };
  closingRebuildMs: number;
}

/** A run that has done nothing. */
export function startRun<D>(egraph: EGraph<D>, options: AnyOptions<D>): Run<D> {
  const { now = () => 0, scheduler = backoffScheduler() } = options;
  return {
    ...options,
    egraph,
    nodeLimit: options.nodeLimit ?? 10_000,
    timeLimitMs: options.timeLimitMs ?? Infinity,
    now,
    delta: options.delta ?? !scheduler.countsAll,
    started: now(),
    plan: scheduler.start(),
    bound: new Map(),
    iterations: [],
    buffers: [],
    used: 0,
    stop: undefined,
    rebuilt: { congruences: 0, rebuildMs: 0 },
    closingRebuildMs: 0,
  };
}

/** Looks at all limits but that of nodes: whether the run is over. */
export function isOver<D>(run: Run<D>): boolean {
  run.stop ??= exceeded(run);
  return run.stop !== undefined;
}

function exceeded<D>(run: Run<D>): StopReason | undefined {
  const { failure: broken, store, tables } = run.egraph;
  const { memoryLimitBytes, shouldStop, signal } = run;
  if (broken) return { _tag: 'Failed', diagnostics: [broken] };
  if (signal?.aborted || shouldStop?.()) return { _tag: 'Stopped' };
  const elapsedMs = run.now() - run.started;
  if (elapsedMs > run.timeLimitMs) return { _tag: 'TimeLimit', elapsedMs };
  if (memoryLimitBytes === undefined) return undefined;
  const bytes = bytesHeld(run);
  // The tables grow with the nodes, but only when they are refreshed.
  const owed = Math.max(0, store.uf.length * TABLE_BYTES_A_NODE - tables.bytes);
  store.room = memoryLimitBytes - bytes - owed;
  return bytes > memoryLimitBytes ? { _tag: 'MemoryLimit', bytes } : undefined;
}

const bytesHeld = <D>({ buffers, egraph }: Run<D>): number =>
  buffers.reduce((sum, { data }) => sum + data.byteLength, egraph.byteSize);

/** Ends a run that may make no more nodes. */
export function stopAtNodes<D>(run: Run<D>): void {
  const { liveNodes: nodes } = run.egraph.store;
  const { nodeLimit: limit } = run;
  run.stop =
    nodes < limit
      ? { _tag: 'MemoryLimit', bytes: bytesHeld(run) }
      : { _tag: 'NodeLimit', nodes, limit };
}
