/** The options of runs. */
import {
  type AnyFunction,
  aBoolean,
  aFunction,
  aLimit,
  anything,
  checkOptions,
  type Diagnostic,
  listOf,
  type OptionTypes,
} from '@baton/base';
import { clockMissing } from '../diagnostics.ts';
import type { EGraph } from '../egraph.ts';
import type { CodeGeneration } from '../match/code.ts';
import type { Iteration } from './report.ts';
import type { Scheduler } from './scheduler.ts';

/** Milliseconds since any fixed moment. */
export type Clock = () => number;

/** Runs before each iteration; a text ends the run with that reason. It may change the e-graph. */
export type Hook<D> = (egraph: EGraph<D>, iteration: number) => string | undefined;

/** Limits and choices of a run, without those that need a clock. */
export interface BasicRunOptions<D> {
  /**
   * The most rounds.
   *
   * @defaultValue 30
   */
  readonly iterationLimit?: number;
  /**
   * The most nodes at every moment.
   *
   * @defaultValue 10 000
   */
  readonly nodeLimit?: number;
  /**
   * The most bytes in the e-graph's arrays and the matches, held within a fifth. Payloads and
   * analysis data are not counted. An empty e-graph takes about 90,000.
   */
  readonly memoryLimitBytes?: number;
  /**
   * The choice of rules for each iteration.
   *
   * @defaultValue `backoffScheduler()`
   */
  readonly scheduler?: Scheduler;
  readonly hooks?: ReadonlyArray<Hook<D>>;
  /** Called every few hundred microseconds; true ends the run. */
  readonly shouldStop?: () => boolean;
  readonly onIteration?: (iteration: Iteration, index: number) => void;
  /**
   * Whether to look only for matches that are new since a rule's last search.
   *
   * @defaultValue true, unless the scheduler counts all matches
   */
  readonly delta?: boolean;
  /**
   * Whether matchers may be generated as code. They are interpreted if the platform forbids it.
   *
   * @defaultValue `auto`
   */
  readonly codeGeneration?: CodeGeneration;
}

/** A time limit needs a clock: the package itself reads none. */
export type Timing =
  | { readonly timeLimitMs?: undefined; readonly now?: Clock }
  | { readonly timeLimitMs: number; readonly now: Clock };

export type RunOptions<D> = BasicRunOptions<D> & Timing;

/** The part of an `AbortSignal` that a run reads. */
export interface Signal {
  readonly aborted: boolean;
}

/** Limits and choices of a run that lets other work proceed. */
export interface AsyncRunOptions<D> extends BasicRunOptions<D> {
  readonly now: Clock;
  readonly timeLimitMs?: number;
  readonly signal?: Signal;
  /** Lets the event loop turn once; a message to itself by default. */
  readonly yieldNow?: () => Promise<void>;
  /** Called before each turn of the event loop. */
  readonly onProgress?: (progress: Progress) => void;
}

export interface Progress {
  readonly iteration: number;
  readonly nodes: number;
  readonly classes: number;
  readonly elapsedMs: number;
}

const RUN_OPTIONS: OptionTypes<AsyncRunOptions<unknown>> = {
  iterationLimit: aLimit,
  nodeLimit: aLimit,
  memoryLimitBytes: aLimit,
  timeLimitMs: aLimit,
  now: aFunction,
  scheduler: anything,
  hooks: listOf(anything, 'hooks'),
  shouldStop: aFunction,
  onIteration: aFunction,
  delta: aBoolean,
  codeGeneration: anything,
  signal: anything,
  yieldNow: aFunction,
  onProgress: aFunction,
};

/** The mistakes in the options of a run: unknown ones, values of wrong types, a time without a clock. */
export function checkRunOptions(
  owner: string,
  options: { readonly timeLimitMs?: number | undefined; readonly now?: Clock | undefined },
  callee: AnyFunction,
): ReadonlyArray<Diagnostic> {
  const wrong = checkOptions(owner, options, RUN_OPTIONS, callee);
  const hasNoClock = options?.timeLimitMs !== undefined && options.now === undefined;
  return hasNoClock ? [...wrong, clockMissing(owner)] : wrong;
}
