/** The limits of a run. */
import type { Span } from '@baton/base';
import * as diagnostics from './diagnostics.ts';
import { stop } from './stop.ts';

/** Limits of a run. Reaching one ends the run with a diagnostic. */
export interface Limits {
  /**
   * The most steps of the run: calls of functions and evaluations of operators.
   * @defaultValue no limit
   */
  readonly fuel?: number;
  /** Called every {@link POLL_STEPS} steps; true ends the run, for example after a time limit. */
  readonly shouldStop?: () => boolean;
  /**
   * The most calls that wait for each other.
   * @defaultValue {@link MAX_DEPTH}
   */
  readonly maxDepth?: number;
  /**
   * The most bytes of one operator's result.
   * @defaultValue {@link MAX_BYTES}
   */
  readonly maxBytes?: number;
}

/** The default limit of waiting calls, which take several hundred MB. */
export const MAX_DEPTH = 5_000_000;

/** The default limit of an operator's result: 1 GiB. */
export const MAX_BYTES: number = 2 ** 30;

/** The steps between two calls of `shouldStop`. */
export const POLL_STEPS = 256;

/** Counts the steps and the depth of a run, and ends it at a limit. */
export class Meter {
  readonly maxBytes: number;
  private readonly limits: Limits;
  private readonly maxDepth: number;
  private steps = 0;
  /** The number of steps up to which nothing is checked. */
  private next: number;

  constructor(limits: Limits) {
    this.limits = limits;
    this.maxDepth = limits.maxDepth ?? MAX_DEPTH;
    this.maxBytes = limits.maxBytes ?? MAX_BYTES;
    this.next = this.nextCheck();
  }

  /** Counts a call of a function or an operator. */
  countStep(span: Span | undefined): void {
    this.steps += 1;
    if (this.steps <= this.next) return;
    const { fuel, shouldStop } = this.limits;
    if (fuel !== undefined && this.steps > fuel) stop(diagnostics.outOfFuel(fuel, span));
    if (shouldStop?.() === true) stop(diagnostics.stopped(span));
    this.next = this.nextCheck();
  }

  /** Checks the number of calls that wait for each other. */
  checkDepth(depth: number, span: Span | undefined): void {
    if (depth > this.maxDepth) stop(diagnostics.tooDeep(this.maxDepth, span));
  }

  private nextCheck(): number {
    const { fuel = Number.POSITIVE_INFINITY, shouldStop } = this.limits;
    return shouldStop === undefined ? fuel : Math.min(fuel, this.steps + POLL_STEPS);
  }
}
