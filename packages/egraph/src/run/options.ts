import type { EGraph } from '../egraph.ts';
import type { CodeGeneration } from '../match/code.ts';
import type { Iteration } from './report.ts';
import type { Scheduler } from './scheduler.ts';

/** Milliseconds since any fixed moment. */
export type Clock = () => number;

/** Runs before each iteration; a text ends the run with that reason. It may change the e-graph. */
export type Hook<D> = (egraph: EGraph<D>, iteration: number) => string | undefined;

/** Limits and habits of a run, without those that need a clock. */
export interface BasicRunOptions<D> {
  /**
   * Rounds at most.
   *
   * @defaultValue 30
   */
  readonly iterationLimit?: number;
  /**
   * Nodes at most, at every moment.
   *
   * @defaultValue 10 000
   */
  readonly nodeLimit?: number;
  /**
   * Bytes at most in the e-graph's arrays and the matches, held within a fifth. Payloads and analysis
   * data are not counted. An empty e-graph takes about 90,000.
   */
  readonly memoryLimitBytes?: number;
  /**
   * Which rules run when.
   *
   * @defaultValue `backoffScheduler()`
   */
  readonly scheduler?: Scheduler;
  readonly hooks?: ReadonlyArray<Hook<D>>;
  /** Asked every few hundred microseconds; true ends the run. */
  readonly shouldStop?: () => boolean;
  /** Called after each iteration. */
  readonly onIteration?: (iteration: Iteration, index: number) => void;
  /**
   * Whether to look only for matches that are new since a rule was last searched.
   *
   * @defaultValue true, unless the scheduler counts all matches
   */
  readonly delta?: boolean;
  /**
   * Whether matchers may be generated as code. Where the platform forbids it they are interpreted.
   *
   * @defaultValue `auto`
   */
  readonly codeGeneration?: CodeGeneration;
}

/** A time limit needs a clock: nothing in this package reads one by itself. */
export type Timing =
  | { readonly timeLimitMs?: undefined; readonly now?: Clock }
  | { readonly timeLimitMs: number; readonly now: Clock };

/** Limits and habits of a run. */
export type RunOptions<D> = BasicRunOptions<D> & Timing;

/** The part of an `AbortSignal` that a run reads. */
export interface Signal {
  readonly aborted: boolean;
}

/** Limits and habits of a run that lets others work in between. */
export interface AsyncRunOptions<D> extends BasicRunOptions<D> {
  readonly now: Clock;
  readonly timeLimitMs?: number;
  readonly signal?: Signal;
  /** Lets the event loop turn once; a message to itself by default. */
  readonly yieldNow?: () => Promise<void>;
  /** Called before each turn of the event loop. */
  readonly onProgress?: (progress: Progress) => void;
}

/** How far a run is. */
export interface Progress {
  readonly iteration: number;
  readonly nodes: number;
  readonly classes: number;
  readonly elapsedMs: number;
}
