/** The state of a run, and its limits. */
import type { Diagnostic } from '@baton/base';
import type { EGraph } from '../egraph.ts';
import type { RuleInput } from '../rewrite.ts';
import type { MatchBuffer } from '../store/arrays.ts';
import { TABLE_BYTES_A_NODE } from '../store/tables.ts';
import type { BoundRule } from './bind.ts';
import type { BasicRunOptions, Clock, Signal } from './options.ts';
import type { Iteration, StopReason } from './report.ts';
import { backoffScheduler, type SchedulerState } from './scheduler.ts';

interface AnyOptions<D> extends BasicRunOptions<D> {
  readonly timeLimitMs?: number | undefined;
  readonly now?: Clock | undefined;
  readonly signal?: Signal | undefined;
}

/** A run in progress: its complete options, and its state. */
export interface Run<D> extends AnyOptions<D> {
  readonly egraph: EGraph<D>;
  readonly nodeLimit: number;
  readonly timeLimitMs: number;
  readonly now: Clock;
  readonly delta: boolean;
  readonly plan: SchedulerState;
  readonly started: number;
  readonly bound: Map<RuleInput<D>, ReadonlyArray<BoundRule>>;
  readonly iterations: Iteration[];
  /** The matches of an iteration, in buffers that grow without a pause; `used` are in use. */
  readonly buffers: MatchBuffer[];
  used: number;
  /** The reason why the run is over. */
  stop?: StopReason | undefined;
  /** The effects of the rebuilds of an iteration. */
  readonly rebuilt: { congruences: number; rebuildMs: number };
  closingRebuildMs: number;
}

/** A run at its start; it is over if there are problems. */
export function startRun<D>(
  egraph: EGraph<D>,
  options: AnyOptions<D>,
  problems: ReadonlyArray<Diagnostic> = [],
): Run<D> {
  const [first, ...more] = problems;
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
    rebuilt: { congruences: 0, rebuildMs: 0 },
    closingRebuildMs: 0,
    stop: first && { _tag: 'Failed', diagnostics: [first, ...more] },
  };
}

/** Checks all limits except the node limit: whether the run is over. */
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

export function stopAtNodes<D>(run: Run<D>): void {
  const { liveNodes: nodes } = run.egraph.store;
  const { nodeLimit: limit } = run;
  run.stop =
    nodes < limit
      ? { _tag: 'MemoryLimit', bytes: bytesHeld(run) }
      : { _tag: 'NodeLimit', nodes, limit };
}
